package tidepool.fuzz;

import java.util.List;
import tidepool.node.FrameHarness;
import tidepool.node.security.ClientAuthenticator;
import tidepool.wire.AuthMethod;
import tidepool.wire.tls.Rights;
import tidepool.wire.tls.Token;

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
            return AuthMethod.TOKEN;
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
