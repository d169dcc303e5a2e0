package tidepool.tcp.secure;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import tidepool.base.Clock;
import tidepool.fabric.FabricUrl;
import tidepool.tcp.wire.Transports;

/**
 * What a client brings along to be let in, from the pool's URL and the environment:
 *
 * <pre>
 *   user=NAME         who it is; with a certificate, the name in it
 *   tokenFile=PATH    where its token lies; otherwise the variable TIDEPOOL_TOKEN
 *   tls=on            speak TLS
 *   ca=FILE           who vouches for nodes
 *   cert=FILE key=FILE  the client's own certificate, where nodes want one
 * </pre>
 *
 * The token itself has no place in a URL: URLs stand in shell histories, process lists, logs and complaints.
 */
public final class ClientCredentials {
    /** The parameters of a URL that are read here. */
    public static final Set<String> PARAMETERS = Set.of("user", "tokenFile", "tls", "ca", "cert", "key");

    public static final String TOKEN_VARIABLE = "TIDEPOOL_TOKEN";

    /** For pools that ask nobody who they are. */
    public static final ClientCredentials NONE = new ClientCredentials("anonymous", () -> null, Transports.PLAIN);

    private static final Set<String> SECRETS = Set.of("token", "secret", "password", "pass", "passwd", "pwd", "apikey");

    private final String name;
    private final Supplier<Token> token;
    private final Transports transports;

    private ClientCredentials(String name, Supplier<Token> token, Transports transports) {
        this.name = name;
        this.token = token;
        this.transports = transports;
    }

    /** To be called before anything else looks at the URL: others quote it in complaints. */
    public static ClientCredentials of(FabricUrl url) {
        return of(url, System::getenv);
    }

    /** The same with another environment, which gives the value of a variable, or null. */
    public static ClientCredentials of(FabricUrl url, UnaryOperator<String> environment) {
        refuseSecrets(url);
        TlsFiles files = tls(url);
        Transports transports = files == null
                ? Transports.PLAIN
                : TlsTransports.forClient(files.ca(), files.certificate(), files.key());
        Supplier<Token> token = token(url, environment);
        String name = url.string("user", null);
        if (name != null && !CredentialsParser.isName(name))
            throw new CredentialsException("user takes a name of at most 64 letters, digits, and . - _ @");
        if (files != null && files.certificate() != null) name = nameByCertificate(name, files.certificate());
        if (name == null && token.get() != null)
            throw new CredentialsException("a token without a name: say user=NAME in the URL of the pool");
        return new ClientCredentials(name == null ? NONE.name : name, token, transports);
    }

    /**
     * What a file holds that only its owner may open, without the white space around it.
     *
     * @param what names it in complaints
     */
    public static String secret(Path file, String what) {
        byte[] text = SecretFile.read(file, what);
        try {
            return new String(text, StandardCharsets.UTF_8).strip();
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    /** What a HELLO says. */
    public String name() {
        return name;
    }

    /** Null if there is none. A file that has changed is read again, so ask whenever there is a connection to be made. */
    public Token token() {
        return token.get();
    }

    public Transports transports() {
        return transports;
    }

    @Override
    public String toString() {
        return name + (token() == null ? " without a token" : " with a token") + " over "
                + (transports == Transports.PLAIN ? "plain TCP" : "TLS");
    }

    /** Names what is wrong and repeats nothing of the value, as the complaint may end up in a log. */
    private static void refuseSecrets(FabricUrl url) {
        for (String parameter : url.parameters().keySet())
            if (SECRETS.contains(
                    parameter.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "")))
                throw new CredentialsException("'" + parameter
                        + "' has no place in a URL, which others can read in logs and process lists: put the token"
                        + " into a file and say tokenFile=PATH, or into the variable " + TOKEN_VARIABLE
                        + "; and take a new token, as this one may have been seen");
        if (url.target().indexOf('@') >= 0)
            throw new CredentialsException(
                    "who you are does not stand before an @ in the URL of a pool: say user=NAME, and"
                            + " tokenFile=PATH or the variable " + TOKEN_VARIABLE);
    }

    private static TlsFiles tls(FabricUrl url) {
        if (!url.flag("tls", false)) {
            for (String needsTls : new String[] {"ca", "cert", "key"})
                if (url.has(needsTls)) throw new CredentialsException(needsTls + " is for TLS: say tls=on too");
            return null;
        }
        if (!url.has("ca"))
            throw new CredentialsException("tls=on needs ca=FILE, the certificates of those who vouch for nodes");
        if (url.has("cert") != url.has("key"))
            throw new CredentialsException("cert=FILE and key=FILE are given together, or neither");
        return new TlsFiles(path(url, "ca"), path(url, "cert"), path(url, "key"));
    }

    private static Path path(FabricUrl url, String parameter) {
        return url.has(parameter) ? Path.of(url.string(parameter, "")) : null;
    }

    private static Supplier<Token> token(FabricUrl url, UnaryOperator<String> environment) {
        if (url.has("tokenFile")) {
            Path file = path(url, "tokenFile");
            return new Following<>(List.of(file), () -> read(file), Clock.system())::value;
        }
        String text = environment.apply(TOKEN_VARIABLE);
        Token token =
                text == null || text.isBlank() || !url.has("user") ? null : Tokens.of(text.strip(), TOKEN_VARIABLE);
        return () -> token;
    }

    private static Token read(Path file) {
        byte[] text = SecretFile.read(file, "the token file");
        try {
            return Tokens.ofFile(text, "the token file " + file);
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    private static String nameByCertificate(String given, Path certificate) {
        String name = Pem.commonName(
                Pem.certificates(certificate, "the certificate file").getFirst());
        if (name == null || !CredentialsParser.isName(name))
            throw new CredentialsException("the certificate in " + certificate + " names nobody who could be a client");
        if (given != null && !given.equals(name))
            throw new CredentialsException(
                    "user=" + given + ", but the certificate in " + certificate + " is of " + name);
        return name;
    }
}
