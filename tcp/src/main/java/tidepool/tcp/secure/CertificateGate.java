package tidepool.tcp.secure;

import java.nio.file.Path;
import java.util.List;
import tidepool.base.Clock;

/**
 * A gate that knows clients by the name in a certificate that TLS has checked. Who may do what stands in the same file as
 * tokens would, in lines with the word {@code certificate}. To shut a client out, its line is taken away.
 */
public final class CertificateGate implements Gate {
    private final Path file;
    private final Following<Credentials> credentials;

    private CertificateGate(Path file, Clock clock) {
        this.file = file;
        this.credentials = CredentialsFile.follow(file, clock);
    }

    /** Reads the file; a {@link CredentialsException} says what is wrong with it. */
    public static CertificateGate open(Path file) {
        return open(file, Clock.system());
    }

    /** By this clock, the file is looked at no more than once a second. */
    public static CertificateGate open(Path file, Clock clock) {
        return new CertificateGate(file, clock);
    }

    @Override
    public int method() {
        return CERTIFICATE;
    }

    @Override
    public List<Token> tokens(String client) {
        return List.of();
    }

    @Override
    public Rights rights(String name, String pool) {
        Credentials now = credentials.value();
        Credentials.Client client = now.client(name);
        return client == null || !client.byCertificate ? Rights.NONE : now.rights(name, pool);
    }

    @Override
    public long generation() {
        return credentials.generation();
    }

    @Override
    public boolean isGood(String name, Token token) {
        Credentials.Client client = credentials.value().client(name);
        return client != null && client.byCertificate;
    }

    @Override
    public String toString() {
        return "certificates of " + file;
    }
}
