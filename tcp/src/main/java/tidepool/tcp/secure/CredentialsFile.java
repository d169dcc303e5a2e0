package tidepool.tcp.secure;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import tidepool.base.Clock;

/**
 * A gate that knows clients by tokens in a file ({@code docs/security.md}); the file is read again when it changes. A new
 * version that is wrong is logged, and the old one stays in force.
 */
public final class CredentialsFile implements Gate {
    private final Path file;
    private final Token nobodys = Tokens.nobodys();
    private final Token nobodysOther = Tokens.nobodys();
    private final Following<Credentials> credentials;

    private CredentialsFile(Path file, Clock clock) {
        this.file = file;
        this.credentials = follow(file, clock);
    }

    /** Reads the file; a {@link CredentialsException} says what is wrong with it. */
    public static CredentialsFile open(Path file) {
        return open(file, Clock.system());
    }

    /** By this clock, the file is looked at no more than once a second. */
    public static CredentialsFile open(Path file, Clock clock) {
        return new CredentialsFile(file, clock);
    }

    /** Reads a text as a node reads its file, and complains alike; {@code name} is what complaints call it. */
    public static void check(byte[] text, String name) {
        CredentialsParser.parse(text, name);
    }

    static Following<Credentials> follow(Path file, Clock clock) {
        return new Following<>(List.of(file), () -> read(file), clock);
    }

    private static Credentials read(Path file) {
        byte[] text = SecretFile.read(file, "the credentials file");
        try {
            return CredentialsParser.parse(text, file.toString());
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    @Override
    public int method() {
        return TOKEN;
    }

    /** Always two, so that a challenge does not tell who is known, nor whose token is being changed. */
    @Override
    public List<Token> tokens(String name) {
        Credentials.Client client = credentials.value().client(name);
        List<Token> known = client == null ? List.of() : client.tokens;
        return List.of(
                known.isEmpty() ? nobodys : known.getFirst(), //
                known.size() < Credentials.MOST_TOKENS ? nobodysOther : known.getLast());
    }

    @Override
    public Rights rights(String name, String pool) {
        Credentials now = credentials.value();
        Credentials.Client client = now.client(name);
        return client == null || client.tokens.isEmpty() ? Rights.NONE : now.rights(name, pool);
    }

    @Override
    public long generation() {
        return credentials.generation();
    }

    @Override
    public boolean isGood(String name, Token token) {
        Credentials.Client client = credentials.value().client(name);
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
