package tidepool.wire.tls;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import tidepool.wire.Frame;

/**
 * The proofs of a handshake. Each end proves that it has the shared token. A proof is bound to both nonces, to the
 * names of client and node, to the pool, and to the address at which the client has found the node. It also contains
 * the role of its sender, so that neither end can send the other's proof back.
 */
public final class Proof {
    private Proof() {}

    /** The context of a handshake: client, node, pool and the two nonces. It is equal at both ends. */
    public static final class Talk {
        private final byte[] clientNonce;
        private final byte[] nodeNonce;
        private final String client;
        private final String node;
        private final String pool;
        private final int number;
        private final String address;

        /** Creates a context in which the node's address does not count. */
        public Talk(byte[] clientNonce, byte[] nodeNonce, String client, String node, String pool, int number) {
            this(clientNonce, nodeNonce, client, node, pool, number, "");
        }

        /**
         * Creates a context of a client that has the node's address from a roster.
         *
         * @param address the address that the client dialed, and under which the node has registered; empty if either
         *     has none
         */
        public Talk(
                byte[] clientNonce,
                byte[] nodeNonce,
                String client,
                String node,
                String pool,
                int number,
                String address) {
            this.clientNonce = clientNonce.clone();
            this.nodeNonce = nodeNonce.clone();
            this.client = client;
            this.node = node;
            this.pool = pool;
            this.number = number;
            this.address = address;
        }
    }

    public static byte[] ofNode(Token token, Talk talk) {
        return token.sign(message("node", talk));
    }

    public static byte[] ofClient(Token token, Talk talk) {
        return token.sign(message("client", talk));
    }

    /** Compares two proofs in a time that does not depend on where they differ. */
    public static boolean matches(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }

    /** Returns the signed bytes. The length precedes every part, so that no two contexts give equal bytes. */
    private static byte[] message(String role, Talk talk) {
        byte[][] parts = {
            "tidepool".getBytes(StandardCharsets.UTF_8),
            role.getBytes(StandardCharsets.UTF_8),
            talk.clientNonce,
            talk.nodeNonce,
            talk.client.getBytes(StandardCharsets.UTF_8),
            talk.node.getBytes(StandardCharsets.UTF_8),
            talk.pool.getBytes(StandardCharsets.UTF_8),
            talk.address.getBytes(StandardCharsets.UTF_8)
        };
        int bytes = 2 * Integer.BYTES;
        for (byte[] part : parts) bytes += Integer.BYTES + part.length;
        ByteBuffer message = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        message.putInt(Frame.VERSION).putInt(talk.number);
        for (byte[] part : parts) message.putInt(part.length).put(part);
        return message.array();
    }
}
