package tidepool.fuzz;

import java.nio.charset.StandardCharsets;
import tidepool.node.security.TokenFileAuthenticator;
import tidepool.wire.tls.CredentialsException;

/**
 * A credentials file is read, or refused with file and line. The message never repeats a long word of the file, which
 * may be a token.
 */
final class CredentialsTarget implements FuzzTarget {
    private static final int LONG_WORD = 22;

    @Override
    public void feed(byte[] input) {
        try {
            TokenFileAuthenticator.check(input, "FILE");
        } catch (CredentialsException e) {
            String said = e.getMessage();
            Finding.unless(said.matches("(?s)FILE:[0-9]+: .+"), "a complaint without file and line: " + said);
            Finding.unless(e.getCause() == null, "a complaint with a cause, which may repeat more than it should");
            for (String word : new String(input, StandardCharsets.ISO_8859_1).split("\\s+", -1))
                Finding.unless(word.length() < LONG_WORD || !said.contains(word), "a complaint repeats a word");
        }
    }
}
