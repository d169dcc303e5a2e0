package tidepool.node.security;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tidepool.wire.tls.ClientName;
import tidepool.wire.tls.CredentialsException;
import tidepool.wire.tls.Rights;
import tidepool.wire.tls.Token;
import tidepool.wire.tls.Tokens;

/**
 * The parser of credentials files. One client per line; words are separated by blanks, {@code #} begins a comment:
 *
 * <pre>
 *   # name    token, or the word certificate               pool:right,right ...
 *   alice     hT0fYH6e1bT7...                              bank:read,write,call  *:read
 *   bob       certificate                                  *:all
 * </pre>
 *
 * A client has one line, or two with different tokens while they are being changed, and one more with
 * {@code certificate}. All lines of a client must have the same rights. The token is taken from the bytes and never
 * becomes a string. Error messages repeat nothing of a line, because a misplaced token may stand anywhere in it.
 */
final class CredentialsParser {
    private static final String CERTIFICATE = "certificate";

    private final String file;
    private final byte[] text;
    private final Map<String, CredentialTable.Client> clients = new HashMap<>();
    private int number;

    private CredentialsParser(byte[] text, String file) {
        this.text = text;
        this.file = file;
    }

    /** @param file the name of the file in error messages */
    static CredentialTable parse(byte[] text, String file) {
        return new CredentialsParser(text, file).parse();
    }

    private CredentialTable parse() {
        for (int at = 0; at < text.length; ) {
            int end = at;
            while (end < text.length && text[end] != '\n') end++;
            number++;
            line(at, end);
            at = end + 1;
        }
        return new CredentialTable(clients);
    }

    private void line(int from, int to) {
        int end = from;
        while (end < to && text[end] != '#') end++;
        int[] name = word(from, end);
        if (name == null) return;
        int[] secret = word(name[1], end);
        if (secret == null) throw wrong("a name alone; behind it belong a token, or the word certificate, and rights");
        String client = name(name);
        Map<String, Rights> rights = rights(secret[1], end);
        CredentialTable.Client known = clients.computeIfAbsent(client, _ -> new CredentialTable.Client(rights));
        if (!known.rights.equals(rights)) throw wrong("other rights than in an earlier line of the same client");
        if (Arrays.equals(text, secret[0], secret[1], CERTIFICATE.getBytes(StandardCharsets.US_ASCII), 0, 11)) {
            if (known.byCertificate) throw wrong("a second line with the word certificate for the same client");
            known.byCertificate = true;
        } else {
            addToken(known.tokens, secret);
        }
    }

    private void addToken(List<Token> tokens, int[] word) {
        Token token = Tokens.of(text, word[0], word[1], file + ":" + number);
        if (tokens.size() == CredentialTable.MAX_TOKENS)
            throw wrong("a third token of the same client; take away the oldest");
        for (Token other : tokens) if (other.isSame(token)) throw wrong("the same token once more");
        tokens.add(token);
    }

    private Map<String, Rights> rights(int from, int to) {
        Map<String, Rights> rights = new LinkedHashMap<>();
        for (int[] word = word(from, to); word != null; word = word(word[1], to)) {
            int colon = word[0];
            while (colon < word[1] && text[colon] != ':') colon++;
            if (colon == word[1] || colon == word[0] || colon + 1 == word[1])
                throw wrong("the word at column " + column(word) + " is not of the form pool:right,right");
            String pool = string(word[0], colon);
            if (!pool.equals(CredentialTable.ANY_POOL) && !ClientName.isValid(pool))
                throw wrong("no name of a pool" + place(word));
            if (rights.put(pool, parseRights(string(colon + 1, word[1]), word)) != null)
                throw wrong("the same pool once more" + place(word));
        }
        if (rights.isEmpty()) throw wrong("no rights; such as bank:read,write,call or *:all");
        return rights;
    }

    private Rights parseRights(String list, int[] word) {
        long bits = 0;
        for (String right : list.split(",", -1)) {
            bits |= switch (right) {
                case "read" -> 1;
                case "write" -> 3; // write includes read, because some verbs do both
                case "call" -> 4;
                case "admin" -> 8;
                case "all" -> 15;
                default -> throw wrong("rights are read, write, call, admin and all, joined by commas" + place(word));
            };
        }
        return Rights.ofBits(bits);
    }

    private String name(int[] word) {
        String name = string(word[0], word[1]);
        if (!ClientName.isValid(name)) throw wrong("names have at most 64 letters, digits, and . - _ @");
        return name;
    }

    /** Returns the start and the end of the next word; null if none is left. */
    private int[] word(int from, int to) {
        int first = from;
        while (first < to && isBlank(text[first])) first++;
        if (first == to) return null;
        int last = first;
        while (last < to && !isBlank(text[last])) last++;
        return new int[] {first, last};
    }

    private static boolean isBlank(byte letter) {
        return letter == ' ' || letter == '\t' || letter == '\r';
    }

    private String string(int from, int to) {
        return new String(text, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private String place(int[] word) {
        return ", at column " + column(word);
    }

    private int column(int[] word) {
        int start = word[0];
        while (start > 0 && text[start - 1] != '\n') start--;
        return word[0] - start + 1;
    }

    private CredentialsException wrong(String what) {
        return new CredentialsException(file + ":" + number + ": " + what);
    }
}
