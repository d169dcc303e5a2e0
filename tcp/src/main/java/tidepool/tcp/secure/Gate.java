package tidepool.tcp.secure;

import java.util.List;

/** Decides at a node who may come in and what they may do. Answers may change while the node runs. */
public interface Gate {
    /** Methods of authentication, as a CHALLENGE names them. */
    int NONE = 0;

    int TOKEN = 1;
    int CERTIFICATE = 2;

    /** How clients show who they are. */
    int method();

    /**
     * The tokens that a client may use: one, or two while they are being changed. For a name that is not known there are
     * tokens too, which nobody has, so that strangers do not learn who is known. Only under {@link #TOKEN}.
     */
    List<Token> tokens(String client);

    /** What this client may do with this pool; {@link Rights#NONE} for those who are not known. */
    Rights rights(String client, String pool);

    /** Moves when credentials have changed; then the node asks {@link #isGood} again for everybody who is in. */
    long generation();

    /** Whether a client that came in by this token (null under other methods) would still get in. */
    boolean isGood(String client, Token token);

    /** Everybody gets in and may do everything: for nodes that listen on loopback alone. */
    Gate OPEN = new Gate() {
        @Override
        public int method() {
            return NONE;
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
