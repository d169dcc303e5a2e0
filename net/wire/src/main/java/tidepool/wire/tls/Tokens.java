package tidepool.wire.tls;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/** Tokens as text: creates them, and rejects those that are too easy to guess. */
public final class Tokens {
    /** The minimum lengths for 128 bits: letters of base64url, and hexadecimal digits. */
    static final int MIN_LETTERS = 22;

    static final int MIN_DIGITS = 32;
    static final int MAX_LETTERS = 512;
    private static final int MIN_DIFFERENT = 8;

    private Tokens() {}

    /** Returns a new random token: 256 bits in base64url. */
    public static String random() {
        byte[] bits = new byte[32];
        new SecureRandom().nextBytes(bits);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
    }

    /** Returns a random token that is given to no client. */
    public static Token unassigned() {
        byte[] bits = new byte[32];
        new SecureRandom().nextBytes(bits);
        return new Token(bits);
    }

    /** Returns what is wrong with these letters as a token; null if nothing is. The text never repeats the letters. */
    static String complaint(byte[] letters, int from, int to) {
        boolean hexadecimal = true;
        boolean[] met = new boolean[128];
        int different = 0;
        for (int i = from; i < to; i++) {
            int letter = letters[i];
            if (!isLetter(letter)) return "a token has only letters, digits, - and _";
            hexadecimal &= Character.digit(letter, 16) >= 0;
            if (!met[letter]) different++;
            met[letter] = true;
        }
        int min = hexadecimal ? MIN_DIGITS : MIN_LETTERS;
        if (to - from < min)
            return "the token is shorter than 128 bits: at least " + MIN_LETTERS + " letters of base64url or "
                    + MIN_DIGITS + " hexadecimal digits";
        if (to - from > MAX_LETTERS) return "the token is longer than " + MAX_LETTERS + " letters";
        if (different < MIN_DIFFERENT) return "the token repeats a few letters and is not random";
        return null;
    }

    /** Returns the token in a client's file: its only line that is neither empty nor a comment. */
    public static Token ofFile(byte[] bytes, String where) {
        int from = -1;
        int to = -1;
        for (int at = 0; at < bytes.length; ) {
            int end = at;
            while (end < bytes.length && bytes[end] != '\n') end++;
            int first = at;
            int last = end;
            while (first < last && bytes[first] <= ' ' && bytes[first] >= 0) first++;
            while (last > first && bytes[last - 1] <= ' ' && bytes[last - 1] >= 0) last--;
            if (first < last && bytes[first] != '#') {
                if (from >= 0) throw new CredentialsException(where + " has more than one token");
                from = first;
                to = last;
            }
            at = end + 1;
        }
        if (from < 0) throw new CredentialsException(where + " has no token");
        return of(bytes, from, to, where);
    }

    public static Token of(byte[] letters, int from, int to, String where) {
        String complaint = complaint(letters, from, to);
        if (complaint != null) throw new CredentialsException(where + ": " + complaint);
        byte[] secret = Arrays.copyOfRange(letters, from, to);
        Token token = new Token(secret);
        Arrays.fill(secret, (byte) 0);
        return token;
    }

    public static Token of(String text, String where) {
        byte[] letters = text.getBytes(StandardCharsets.UTF_8);
        return of(letters, 0, letters.length, where);
    }

    private static boolean isLetter(int letter) {
        return letter >= 'a' && letter <= 'z'
                || letter >= 'A' && letter <= 'Z'
                || letter >= '0' && letter <= '9'
                || letter == '-'
                || letter == '_';
    }
}
