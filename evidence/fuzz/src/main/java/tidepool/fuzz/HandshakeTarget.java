package tidepool.fuzz;

import java.util.List;
import tidepool.tcp.node.FrameHarness;
import tidepool.tcp.secure.ClientAuthenticator;
import tidepool.tcp.secure.Rights;
import tidepool.tcp.secure.Token;

/** A connection without the token is never admitted, whatever it sends. */
final class HandshakeTarget implements FuzzTarget {
    private final FrameHarness node = new FrameHarness(new Guarded());

    @Override
    public void feed(byte[] input) {
        Finding.unless(!node.feedStranger(input), "a stranger got in");
    }

    /** Accepts every client that has a token; no input has it. */
    private static final class Guarded implements ClientAuthenticator {
        private final Token token = Token.of("a token that no input can have, as proofs need both nonces");

        @Override
        public int method() {
            return TOKEN;
        }

        @Override
        public List<Token> tokens(String client) {
            return List.of(token, token);
        }

        @Override
        public Rights rights(String client, String pool) {
            return Rights.ALL;
        }

        @Override
        public long generation() {
            return 1;
        }

        @Override
        public boolean isGood(String client, Token used) {
            return true;
        }
    }
}
