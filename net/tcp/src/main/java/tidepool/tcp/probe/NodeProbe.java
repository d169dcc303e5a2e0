package tidepool.tcp.probe;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import tidepool.tcp.ClientCredentials;
import tidepool.wire.AuthMethod;
import tidepool.wire.ControlCode;
import tidepool.wire.Frame;
import tidepool.wire.HostPort;
import tidepool.wire.Transports;
import tidepool.wire.tls.Proof;
import tidepool.wire.tls.Token;

/**
 * A client that asks one node for its status: it makes a handshake without a pool and one control call, and closes the
 * connection. It waits for at most the given time. Every failure is an {@link IOException} whose message is a sentence.
 */
public final class NodeProbe {
    /** Bytes of a HELLO's body before the names. */
    private static final int HELLO_BYTES = 8 + 4 * 4 + 16 + Frame.NONCE_BYTES;

    private final ProbeWire wire;
    private final Asker asker;

    /**
     * The identity and credentials of the asking client.
     *
     * @param client the name that the node knows; empty where there are no names
     * @param token the secret shared with the node; null if there is none
     */
    public record Asker(String client, Token token, Transports transports) {
        public static final Asker ANONYMOUS = of(ClientCredentials.NONE);

        public static Asker of(ClientCredentials credentials) {
            return new Asker(credentials.name(), credentials.token(), credentials.transports());
        }
    }

    private NodeProbe(ProbeWire wire, Asker asker) {
        this.wire = wire;
        this.asker = asker;
    }

    /** Returns the text of the node's status. Waits for the answer. */
    public static String status(HostPort node, Asker asker, Duration patience) throws IOException {
        try (ProbeWire wire = new ProbeWire(node, asker.transports(), patience)) {
            NodeProbe probe = new NodeProbe(wire, asker);
            probe.shakeHands();
            return probe.call(ControlCode.STATUS);
        } catch (ConnectException e) {
            throw new IOException("nobody listens there", e);
        } catch (IllegalArgumentException e) {
            throw new IOException("no such host", e);
        } catch (IndexOutOfBoundsException | BufferUnderflowException e) {
            throw new IOException("what answers there is no memory node: a frame is too short", e);
        }
    }

    private void shakeHands() throws IOException {
        byte[] nonce = new byte[Frame.NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        wire.send(hello(nonce));
        ByteBuffer challenge = receive(Frame.CHALLENGE).position(Frame.HEADER);
        int version = challenge.getInt();
        if (version != Frame.VERSION)
            throw new IOException("the node speaks version " + Integer.toUnsignedString(version)
                    + " of the wire and this program version " + Frame.VERSION + ": upgrade the older one");
        byte[] proof = new byte[Frame.PROOF_BYTES];
        if (challenge.getInt() == AuthMethod.TOKEN) proof = prove(nonce, challenge);
        wire.send(ProbeWire.frame(Frame.PROOF, 0, Frame.PROOF_BYTES).put(proof));
        receive(Frame.WELCOME);
    }

    /** Checks the node's proof, then returns the client's own. */
    private byte[] prove(byte[] nonce, ByteBuffer challenge) throws IOException {
        if (asker.token() == null) throw new IOException("the node wants credentials, and none were given");
        byte[] nodeNonce = bytes(challenge, Frame.NONCE_BYTES);
        byte[] nodeProof = bytes(challenge, Frame.PROOF_BYTES);
        String name = new String(bytes(challenge, Short.toUnsignedInt(challenge.getShort())), StandardCharsets.UTF_8);
        Proof.Talk talk = new Proof.Talk(nonce, nodeNonce, asker.client(), name, "", 0);
        byte[] expected = Proof.ofNode(asker.token(), talk);
        boolean known = Proof.matches(nodeProof, expected);
        // While tokens are being changed the node sends one proof by each of two tokens; the second stands at the end.
        if (challenge.getShort(Frame.COUNT) > 0) {
            challenge.position(challenge.limit() - Frame.PROOF_BYTES);
            known |= Proof.matches(bytes(challenge, Frame.PROOF_BYTES), expected);
        }
        if (!known) throw new IOException("the node does not know '" + asker.client() + "' with this token");
        return Proof.ofClient(asker.token(), talk);
    }

    private ByteBuffer hello(byte[] nonce) {
        byte[] name = asker.client().getBytes(StandardCharsets.UTF_8);
        return ProbeWire.frame(Frame.HELLO, 0, HELLO_BYTES + 2 + name.length + 2)
                .putLong(Frame.MAGIC)
                .putInt(Frame.VERSION)
                .putInt(0)
                .putInt(1)
                .putInt(0)
                .putLong(0)
                .putLong(0)
                .put(nonce)
                .putShort((short) name.length)
                .put(name)
                .putShort((short) 0);
    }

    private String call(int operation) throws IOException {
        wire.send(ProbeWire.frame(Frame.CONTROL, 1, Long.BYTES).putLong(operation));
        ByteBuffer reply = receive(Frame.REPLY);
        if (reply.get(Frame.STATUS) != 0) throw new IOException(text(reply));
        return text(reply);
    }

    /** Returns the next frame of that kind. Throws an exception for a REFUSED. Skips SUSPECTS frames. */
    private ByteBuffer receive(int kind) throws IOException {
        while (true) {
            ByteBuffer frame = wire.receive();
            int found = frame.get(Frame.KIND);
            if (found == Frame.REFUSED) throw new IOException(text(frame));
            if (found == kind) return frame;
            if (found != Frame.SUSPECTS)
                throw new IOException("what answers there is no memory node: a frame of kind " + found);
        }
    }

    private static String text(ByteBuffer frame) {
        int bytes = Short.toUnsignedInt(frame.getShort(Frame.COUNT));
        return new String(bytes(frame.position(Frame.HEADER), bytes), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(ByteBuffer from, int count) {
        byte[] bytes = new byte[count];
        from.get(from.position(), bytes);
        from.position(from.position() + count);
        return bytes;
    }
}
