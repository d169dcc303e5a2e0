package tidepool.node.security;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import tidepool.base.Clock;
import tidepool.wire.AuthMethod;
import tidepool.wire.tls.CredentialsException;
import tidepool.wire.tls.ReloadingFile;
import tidepool.wire.tls.Rights;
import tidepool.wire.tls.SecretFile;
import tidepool.wire.tls.Token;
import tidepool.wire.tls.Tokens;

/**
 * An authenticator that identifies clients by tokens in a file ({@code docs/operating/security.md}). The file is read
 * again when it changes. If a new version is invalid, that is logged and the old version stays in force.
 */
public final class TokenFileAuthenticator implements ClientAuthenticator {
    private final Path file;
    private final Token unassigned = Tokens.unassigned();
    private final Token unassignedOther = Tokens.unassigned();
    private final ReloadingFile<CredentialTable> credentials;

    private TokenFileAuthenticator(Path file, Clock clock) {
        this.file = file;
        this.credentials = follow(file, clock);
    }

    /** Reads the file; a {@link CredentialsException} says what is wrong with it. */
    public static TokenFileAuthenticator open(Path file) {
        return open(file, Clock.system());
    }

    /** Reads the file; by this clock, the file is checked for changes at most once a second. */
    public static TokenFileAuthenticator open(Path file, Clock clock) {
        return new TokenFileAuthenticator(file, clock);
    }

    /** Checks a text as a node checks its file, with equal error messages; they call the text {@code name}. */
    public static void check(byte[] text, String name) {
        CredentialsParser.parse(text, name);
    }

    static ReloadingFile<CredentialTable> follow(Path file, Clock clock) {
        return new ReloadingFile<>(List.of(file), () -> read(file), clock);
    }

    private static CredentialTable read(Path file) {
        byte[] text = SecretFile.read(file, "the credentials file");
        try {
            return CredentialsParser.parse(text, file.toString());
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    @Override
    public int method() {
        return AuthMethod.TOKEN;
    }

    /**
     * Returns always two tokens. Otherwise a CHALLENGE would tell which clients are known, or whose token is being
     * changed.
     */
    @Override
    public List<Token> tokens(String name) {
        CredentialTable.Client client = credentials.value().client(name);
        List<Token> known = client == null ? List.of() : client.tokens;
        return List.of(
                known.isEmpty() ? unassigned : known.getFirst(), //
                known.size() < CredentialTable.MAX_TOKENS ? unassignedOther : known.getLast());
    }

    @Override
    public Rights rights(String name, String pool) {
        CredentialTable now = credentials.value();
        CredentialTable.Client client = now.client(name);
        return client == null || client.tokens.isEmpty() ? Rights.NONE : now.rights(name, pool);
    }

    @Override
    public long generation() {
        return credentials.generation();
    }

    @Override
    public boolean isGood(String name, Token token) {
        CredentialTable.Client client = credentials.value().client(name);
        if (client == null || token == null) return false;
        boolean good = false;
        for (Token known : client.tokens) good |= known.isSame(token);
        return good;
    }

    @Override
    public String toString() {
        return "tokens of " + file;
    }
}
