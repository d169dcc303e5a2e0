package tidepool.node;

import java.io.IOException;
import java.security.SecureRandom;
import tidepool.base.Id128;
import tidepool.wire.Frame;
import tidepool.wire.tls.Proof;
import tidepool.wire.tls.Token;

/** A handshake with a name and a token, frame by frame, so that a test can send another frame at any point. */
record RawHandshake(String client, Token token) {
    /** The handshake for nodes without authentication. */
    static final RawHandshake ANONYMOUS = new RawHandshake("test", null);

    private static final int NONCE = Frame.HEADER + 40;
    private static final int NODE_NONCE = 8;
    private static final int NODE_PROOF = NODE_NONCE + Frame.NONCE_BYTES;
    private static final int NODE_NAME = NODE_PROOF + Frame.PROOF_BYTES;

    static RawHandshake of(String client, String token) {
        return new RawHandshake(client, Token.of(token));
    }

    /** The contents of a CHALLENGE. */
    record Challenge(RawClient.Answer frame, byte[] nonce, byte[] proof, String node) {}

    RawClient enter(MemoryServer server, String pool) throws IOException {
        return enter(new RawClient(server.address()), pool);
    }

    /** Makes the whole handshake. Throws an exception with the node's message if it is refused. */
    RawClient enter(RawClient raw, String pool) throws IOException {
        RawClient.Answer welcome = attempt(raw, pool);
        if (welcome == null || welcome.kind() != Frame.WELCOME)
            throw new IOException("refused: " + (welcome == null ? "the end" : welcome.text()));
        return raw;
    }

    /** Returns the last frame of the handshake: WELCOME, REFUSED, or null if the node closed the connection. */
    RawClient.Answer attempt(RawClient raw, String pool) throws IOException {
        byte[] hello = hello(pool);
        raw.send(hello);
        Challenge challenge = challenge(raw.read());
        raw.send(proof(hello, challenge, pool));
        return raw.readOrEnd();
    }

    byte[] hello(String pool) {
        byte[] hello = RawClient.hello(client, pool, 0, 1, new Id128(0, 0));
        byte[] nonce = new byte[Frame.NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        System.arraycopy(nonce, 0, hello, NONCE, nonce.length);
        return hello;
    }

    static Challenge challenge(RawClient.Answer frame) throws IOException {
        if (frame.kind() != Frame.CHALLENGE) throw new IOException("no challenge: " + frame);
        byte[] nonce = new byte[Frame.NONCE_BYTES];
        byte[] proof = new byte[Frame.PROOF_BYTES];
        frame.body().get(NODE_NONCE, nonce).get(NODE_PROOF, proof);
        byte[] name = new byte[frame.body().getShort(NODE_NAME)];
        frame.body().get(NODE_NAME + 2, name);
        return new Challenge(frame, nonce, proof, new String(name, java.nio.charset.StandardCharsets.UTF_8));
    }

    byte[] proof(byte[] hello, Challenge challenge, String pool) {
        byte[] proof =
                token == null ? new byte[Frame.PROOF_BYTES] : Proof.ofClient(token, talk(hello, challenge, pool));
        return proofFrame(proof);
    }

    static byte[] proofFrame(byte[] proof) {
        return RawClient.frame(Frame.PROOF, 0, 0, 0, proof);
    }

    Proof.Talk talk(byte[] hello, Challenge challenge, String pool) {
        byte[] nonce = new byte[Frame.NONCE_BYTES];
        System.arraycopy(hello, NONCE, nonce, 0, nonce.length);
        return new Proof.Talk(nonce, challenge.nonce, client, challenge.node, pool, 0);
    }
}
