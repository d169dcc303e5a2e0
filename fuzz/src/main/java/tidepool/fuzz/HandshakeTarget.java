package tidepool.fuzz;

import java.util.List;
import tidepool.tcp.node.FrameHarness;
import tidepool.tcp.secure.Gate;
import tidepool.tcp.secure.Rights;
import tidepool.tcp.secure.Token;

/** Whatever a stranger says, without the token it does not get in. */
final class HandshakeTarget implements Target {
    private final FrameHarness node = new FrameHarness(new Guarded());

    @Override
    public void feed(byte[] input) {
        Finding.unless(!node.feedStranger(input), "a stranger got in");
    }

    /** Knows everybody, by a token that no input has. */
    private static final class Guarded implements Gate {
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
