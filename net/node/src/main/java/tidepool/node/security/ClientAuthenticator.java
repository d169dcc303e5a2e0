package tidepool.node.security;

import java.util.List;
import tidepool.wire.AuthMethod;
import tidepool.wire.tls.Rights;
import tidepool.wire.tls.Token;

/** Decides at a node which clients are admitted and what they may do. Its answers may change while the node runs. */
public interface ClientAuthenticator {
    /** Returns the method by which clients authenticate, an {@link AuthMethod}. */
    int method();

    /**
     * Returns the tokens that a client may use: one, or two while they are being changed. An unknown name gets random
     * tokens too, which no client has. Otherwise an unauthenticated client could learn which names are known. Used only
     * under {@link AuthMethod#TOKEN}.
     */
    List<Token> tokens(String client);

    /** Returns the rights of a client to a pool; {@link Rights#NONE} for unknown clients. */
    Rights rights(String client, String pool);

    /**
     * Returns a number that changes when credentials change. The node then calls {@link #isGood} again for every
     * connected client.
     */
    long generation();

    /** Returns whether a client that was admitted by this token (null under other methods) would still be admitted. */
    boolean isGood(String client, Token token);

    /** Admits every client with all rights: for nodes that listen on loopback alone. */
    ClientAuthenticator OPEN = new ClientAuthenticator() {
        @Override
        public int method() {
            return AuthMethod.NONE;
        }

        @Override
        public List<Token> tokens(String client) {
            return List.of();
        }

        @Override
        public Rights rights(String client, String pool) {
            return Rights.ALL;
        }

        @Override
        public long generation() {
            return 0;
        }

        @Override
        public boolean isGood(String client, Token token) {
            return true;
        }
    };
}
