package tidepool.node.security;

import java.nio.file.Path;
import java.util.List;
import tidepool.base.Clock;
import tidepool.wire.AuthMethod;
import tidepool.wire.tls.CredentialsException;
import tidepool.wire.tls.ReloadingFile;
import tidepool.wire.tls.Rights;
import tidepool.wire.tls.Token;

/**
 * An authenticator that identifies clients by the name in a certificate that TLS has verified. Rights stand in the
 * credentials file, as with tokens, in lines with the word {@code certificate}. Removing its line locks a client out.
 */
public final class CertificateAuthenticator implements ClientAuthenticator {
    private final Path file;
    private final ReloadingFile<CredentialTable> credentials;

    private CertificateAuthenticator(Path file, Clock clock) {
        this.file = file;
        this.credentials = TokenFileAuthenticator.follow(file, clock);
    }

    /** Reads the file; a {@link CredentialsException} says what is wrong with it. */
    public static CertificateAuthenticator open(Path file) {
        return open(file, Clock.system());
    }

    /** Reads the file; by this clock, the file is checked for changes at most once a second. */
    public static CertificateAuthenticator open(Path file, Clock clock) {
        return new CertificateAuthenticator(file, clock);
    }

    @Override
    public int method() {
        return AuthMethod.CERTIFICATE;
    }

    @Override
    public List<Token> tokens(String client) {
        return List.of();
    }

    @Override
    public Rights rights(String name, String pool) {
        CredentialTable now = credentials.value();
        CredentialTable.Client client = now.client(name);
        return client == null || !client.byCertificate ? Rights.NONE : now.rights(name, pool);
    }

    @Override
    public long generation() {
        return credentials.generation();
    }

    @Override
    public boolean isGood(String name, Token token) {
        CredentialTable.Client client = credentials.value().client(name);
        return client != null && client.byCertificate;
    }

    @Override
    public String toString() {
        return "certificates of " + file;
    }
}
