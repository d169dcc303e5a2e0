package tidepool.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import tidepool.base.Clock;
import tidepool.base.Id128;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Refusal;
import tidepool.wire.AuthMethod;
import tidepool.wire.FlushGuarantee;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;
import tidepool.wire.Transport;
import tidepool.wire.tls.Proof;
import tidepool.wire.tls.Rights;
import tidepool.wire.tls.Token;

/**
 * Connects to a node and makes the handshake of {@code docs/internals/wire.md}. Waits for it, for at most the time that
 * the URL allows.
 */
final class Dialer {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String NO_NODE = "it does not talk like a memory node";

    /** The largest frame size that a node may announce; a larger one would only take memory of this process. */
    private static final int MAX_FRAME_BYTES = 64 << 20;

    private final TcpUrl url;
    private final ClientCredentials credentials;
    private final String client;
    private volatile int refusedFor; // the code of the last refusal; 0 if there was none
    private final int sendBuffer;

    Dialer(TcpUrl url, ClientCredentials credentials) {
        this(url, credentials, 0);
    }

    /** @param sendBuffer size of the socket's send buffer in bytes; 0 for the default of the system */
    Dialer(TcpUrl url, ClientCredentials credentials, int sendBuffer) {
        this.url = url;
        this.sendBuffer = sendBuffer;
        this.credentials = credentials;
        this.client = credentials.name();
    }

    /** @param pool the id of the pool as the other nodes have reported it; null to learn it from this node */
    NodeConnection dial(int node, Id128 pool, FrameListener listener) {
        SocketChannel channel = null;
        boolean done = false;
        try {
            channel = SocketChannel.open();
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            if (sendBuffer > 0) channel.setOption(StandardSocketOptions.SO_SNDBUF, sendBuffer);
            try (Selector selector = Selector.open()) {
                Talk talk = new Talk(
                        node,
                        selector,
                        Clock.system().nowNanos() + url.connect().toNanos());
                talk.connect(channel);
                Transport transport = credentials
                        .transports()
                        .connected(channel, url.hosts().get(node), url.ports().get(node));
                WelcomeMessage welcome = talk.shakeHands(transport, pool);
                done = true;
                return new NodeConnection(node, transport, welcome, listener);
            }
        } catch (BufferUnderflowException e) {
            throw FabricException.unavailable(where(node) + " cannot be reached: " + NO_NODE, e);
        } catch (IOException e) {
            String why = e.getMessage() == null ? e.toString() : e.getMessage();
            throw FabricException.unavailable(where(node) + " cannot be reached: " + why, e);
        } finally {
            if (!done) close(channel);
        }
    }

    /**
     * Returns whether the only node completes the handshake, or refuses for a reason that only the addressed node can
     * have.
     */
    boolean answers() {
        try {
            NodeConnection connection = dial(0, null, FrameListener.NONE);
            connection.breakDown("all that was asked is answered");
            connection.bury();
            return true;
        } catch (FabricException e) {
            return refusedFor == RefusedCode.RIGHT || refusedFor == RefusedCode.LIMIT;
        }
    }

    private String where(int node) {
        return "node " + node + " at " + url.address(node);
    }

    private static void close(SocketChannel channel) {
        try {
            if (channel != null) channel.close();
        } catch (IOException e) {
            // The socket counts as closed anyway.
        }
    }

    /** One attempt to connect. */
    private final class Talk {
        private final int node;
        private final Selector selector;
        private final long deadlineNanos;
        private final ByteBuffer in =
                ByteBuffer.allocateDirect(Frame.MAX_HANDSHAKE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        private final ByteBuffer out =
                ByteBuffer.allocateDirect(Frame.MAX_HANDSHAKE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        private Transport transport;

        Talk(int node, Selector selector, long deadlineNanos) {
            this.node = node;
            this.selector = selector;
            this.deadlineNanos = deadlineNanos;
        }

        void connect(SocketChannel channel) throws IOException {
            InetSocketAddress address = url.socketAddress(node);
            if (address.isUnresolved())
                throw FabricException.unavailable("no such host: " + url.hosts().get(node));
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            channel.connect(address);
            while (!channel.finishConnect()) waitFor("no connection");
            key.interestOps(SelectionKey.OP_READ);
        }

        WelcomeMessage shakeHands(Transport over, Id128 pool) throws IOException {
            transport = over;
            byte[] nonce = new byte[Frame.NONCE_BYTES];
            RANDOM.nextBytes(nonce);
            hello(nonce, pool);
            receive(Frame.CHALLENGE);
            int version = in.getInt();
            int method = in.getInt();
            byte[] nodeNonce = bytes(Frame.NONCE_BYTES);
            byte[] nodeProof = bytes(Frame.PROOF_BYTES);
            String name = text();
            byte[] otherProof = otherProof();
            if (version != Frame.VERSION)
                throw refused(
                        where(node) + " speaks version " + version + " of the wire, this program " + Frame.VERSION);
            Proof.Talk talk = new Proof.Talk(nonce, nodeNonce, client, name, url.pool(), node, url.registered(node));
            Proof.Talk unplaced = new Proof.Talk(nonce, nodeNonce, client, name, url.pool(), node);
            begin(Frame.PROOF);
            Token token = credentials.token(); // read for each handshake: the token may have changed
            if (method == AuthMethod.TOKEN) {
                if (token == null)
                    throw refused(where(node) + " wants a token: give user=NAME and tokenFile=FILE in the URL");
                // A node without a configured address proves that it has none. A relay cannot make another node prove
                // that.
                if (!isProven(token, talk, nodeProof, otherProof)) talk = unplaced;
                if (!isProven(token, talk, nodeProof, otherProof))
                    throw refused(where(node) + " does not know our token"
                            + (url.hasRoster() ? ", or has registered at another address" : "")
                            + ": is it the right node, user and token?");
                out.put(Proof.ofClient(token, talk));
            } else {
                // Otherwise an attacker in between could impersonate the node by asking for no token.
                if (token != null && method == AuthMethod.NONE)
                    throw refused(where(node) + " asks for no token, though we have one: it may not be our node");
                out.put(new byte[Frame.PROOF_BYTES]);
            }
            send();
            receive(Frame.WELCOME);
            return new WelcomeMessage(
                    name,
                    new Id128(in.getLong(), in.getLong()),
                    in.getLong(),
                    Math.clamp(in.getLong(), 1024, MAX_FRAME_BYTES),
                    Math.clamp(in.getLong(), 1, 1 << 20),
                    in.getLong(),
                    Rights.ofBits(in.getLong()),
                    in.remaining() < Long.BYTES ? FlushGuarantee.POWER : FlushGuarantee.of(in.getLong()));
        }

        private static boolean isProven(Token token, Proof.Talk talk, byte[] nodeProof, byte[] otherProof) {
            byte[] expected = Proof.ofNode(token, talk);
            return Proof.matches(nodeProof, expected) || Proof.matches(otherProof, expected);
        }

        /**
         * Returns the second proof of a CHALLENGE; empty if there is none. While tokens are being changed a client may
         * have either of two, and the node proves that it knows both.
         */
        private byte[] otherProof() throws IOException {
            if (in.getShort(Frame.COUNT) != 1) return new byte[0];
            int at = (int) Frame.padded(in.position());
            if (at > in.limit()) throw new IOException(NO_NODE);
            in.position(at);
            return bytes(Frame.PROOF_BYTES);
        }

        private void hello(byte[] nonce, Id128 pool) throws IOException {
            begin(Frame.HELLO);
            out.putLong(Frame.MAGIC)
                    .putInt(Frame.VERSION)
                    .putInt(node)
                    .putInt(url.nodes())
                    .putInt((int) url.epoch());
            out.putLong(pool == null ? 0 : pool.high()).putLong(pool == null ? 0 : pool.low());
            out.put(nonce);
            putText(client);
            putText(url.pool());
            if (url.hasRoster()) putText(url.identities().get(node));
            send();
        }

        private void begin(int kind) {
            out.clear().position(Frame.HEADER);
            out.put(Frame.KIND, (byte) kind);
        }

        private void putText(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            out.putShort((short) bytes.length).put(bytes);
        }

        private void send() throws IOException {
            while (out.position() % Long.BYTES != 0) out.put((byte) 0);
            int kind = out.get(Frame.KIND);
            out.putLong(0, Frame.head(out.position(), kind, 0, 0)).putLong(Long.BYTES, 0);
            out.flip();
            while (out.hasRemaining() || transport.wantsFlush()) {
                if (transport.wantsFlush()) transport.flush();
                if (out.hasRemaining() && transport.write(out) == 0) pauseAndRead();
            }
        }

        /** Waits up to 10 ms for the socket. TLS has to read before it can write. */
        private void pauseAndRead() throws IOException {
            checkTime("the handshake did not end");
            in.clear();
            if (transport.read(in) != 0) throw new IOException("the node has closed the connection");
            selector.select(10);
            selector.selectedKeys().clear();
        }

        /**
         * Takes in one frame and positions the buffer after its header. During the handshake the node sends only the
         * frame that is due, or a REFUSED.
         */
        private void receive(int kind) throws IOException {
            in.clear();
            in.limit(Frame.HEADER);
            fill();
            int bytes = in.getInt(Frame.BYTES);
            if (bytes < Frame.HEADER || bytes > in.capacity() || bytes % Long.BYTES != 0)
                throw new IOException(NO_NODE);
            in.limit(bytes);
            fill();
            in.position(Frame.HEADER);
            int got = in.get(Frame.KIND);
            if (got == Frame.REFUSED) throw refusedBy(in.get(Frame.STATUS) & 0xff, bytes);
            if (got != kind) throw new IOException(NO_NODE);
        }

        private FabricException refusedBy(int code, int bytes) {
            refusedFor = code;
            byte[] text = bytes(Math.min(in.getShort(Frame.COUNT) & 0xffff, bytes - Frame.HEADER));
            String sentence = where(node) + ": " + new String(text, StandardCharsets.UTF_8);
            if (code == RefusedCode.ROSTER) return FabricException.refused(Refusal.EPOCH, sentence);
            return code == RefusedCode.LIMIT || code == RefusedCode.STOPPING
                    ? FabricException.unavailable(sentence)
                    : refused(sentence);
        }

        private FabricException refused(String sentence) {
            return new FabricException(Reason.UNAVAILABLE, Effect.NOT_DONE, sentence);
        }

        private void fill() throws IOException {
            while (in.hasRemaining()) {
                int read = transport.read(in);
                if (read < 0) throw new IOException("the node has closed the connection");
                if (read == 0) waitFor("the handshake did not end");
            }
        }

        private byte[] bytes(int count) {
            byte[] bytes = new byte[count];
            in.get(bytes);
            return bytes;
        }

        private String text() throws IOException {
            int length = in.getShort() & 0xffff;
            if (length > Frame.MAX_NAME_BYTES) throw new IOException(NO_NODE);
            return new String(bytes(length), StandardCharsets.UTF_8);
        }

        private void waitFor(String what) throws IOException {
            checkTime(what);
            if (transport != null && transport.wantsFlush()) transport.flush();
            selector.select(Math.max(1, Math.min(100, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - now()))));
            selector.selectedKeys().clear();
        }

        private void checkTime(String what) throws IOException {
            if (now() > deadlineNanos)
                throw new IOException(what + " within " + url.connect().toMillis() + " ms");
        }

        private static long now() {
            return Clock.system().nowNanos();
        }
    }
}
