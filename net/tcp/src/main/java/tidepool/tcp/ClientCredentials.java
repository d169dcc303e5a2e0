package tidepool.tcp;

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
import tidepool.wire.Transports;
import tidepool.wire.tls.ClientName;
import tidepool.wire.tls.CredentialsException;
import tidepool.wire.tls.Pem;
import tidepool.wire.tls.ReloadingFile;
import tidepool.wire.tls.SecretFile;
import tidepool.wire.tls.TlsFiles;
import tidepool.wire.tls.TlsTransports;
import tidepool.wire.tls.Token;
import tidepool.wire.tls.Tokens;

/**
 * The credentials of a client, from the pool's URL and the environment:
 *
 * <pre>
 *   user=NAME           the name of the client; with a certificate, the name in it
 *   tokenFile=PATH      the file with its token; otherwise the variable TIDEPOOL_TOKEN
 *   tls=on              use TLS
 *   ca=FILE             certificates of the authorities that sign for nodes
 *   cert=FILE key=FILE  the client's own certificate, where nodes want one
 * </pre>
 *
 * The token itself must not stand in a URL: URLs appear in shell histories, process lists, logs and error messages.
 */
public final class ClientCredentials {
    /** The URL parameters that this class reads. */
    public static final Set<String> PARAMETERS = Set.of("user", "tokenFile", "tls", "ca", "cert", "key");

    public static final String TOKEN_VARIABLE = "TIDEPOOL_TOKEN";

    /** For pools without authentication. */
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

    /**
     * Reads the credentials of a URL. Must be called before other code reads the URL. Otherwise that code may quote a
     * secret of the URL in an error message.
     */
    public static ClientCredentials of(FabricUrl url) {
        return of(url, System::getenv);
    }

    /**
     * Reads the credentials of a URL with the given environment, a function from the name of a variable to its value or
     * null.
     */
    public static ClientCredentials of(FabricUrl url, UnaryOperator<String> environment) {
        refuseSecrets(url);
        TlsFiles files = tls(url);
        Transports transports = files == null
                ? Transports.PLAIN
                : TlsTransports.forClient(files.ca(), files.certificate(), files.key());
        Supplier<Token> token = token(url, environment);
        String name = url.string("user", null);
        if (name != null && !ClientName.isValid(name))
            throw new CredentialsException("user takes a name of at most 64 letters, digits, and . - _ @");
        if (files != null && files.certificate() != null) name = nameByCertificate(name, files.certificate());
        if (name == null && token.get() != null)
            throw new CredentialsException("a token without a name: say user=NAME in the URL of the pool");
        return new ClientCredentials(name == null ? NONE.name : name, token, transports);
    }

    /**
     * Returns the contents of a file that only its owner may open, without surrounding white space.
     *
     * @param what the name of the file in error messages
     */
    public static String secret(Path file, String what) {
        byte[] text = SecretFile.read(file, what);
        try {
            return new String(text, StandardCharsets.UTF_8).strip();
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    /** Returns the name that a HELLO carries. */
    public String name() {
        return name;
    }

    /** Returns the token; null if there is none. A changed file is read again, so call this for each new connection. */
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

    /**
     * Refuses URLs that contain a secret. The error message repeats nothing of the value, because it may end up in a
     * log.
     */
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
            return new ReloadingFile<>(List.of(file), () -> read(file), Clock.system())::value;
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
        if (name == null || !ClientName.isValid(name))
            throw new CredentialsException("the certificate in " + certificate + " names nobody who could be a client");
        if (given != null && !given.equals(name))
            throw new CredentialsException(
                    "user=" + given + ", but the certificate in " + certificate + " is of " + name);
        return name;
    }
}
