package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.ManualClock;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.node.security.TokenFileAuthenticator;
import tidepool.testkit.PrivateFiles;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;
import tidepool.wire.Transports;
import tidepool.wire.tls.Proof;
import tidepool.wire.tls.Token;
import tidepool.wire.tls.Tokens;

/** S3: a client without the token, with a wrong or withdrawn token, or with replayed frames is refused. */
class S3AuthenticationTest {
    private static final String TOKEN = Tokens.random();
    private static final String NEXT = Tokens.random();
    private static final String FRIENDS = Tokens.random();
    private static final RawHandshake ALICE = RawHandshake.of("alice", TOKEN);
    private static final RawHandshake FRIEND = RawHandshake.of("friend", FRIENDS);
    private static final String FRIEND_LINE = "friend " + FRIENDS + " *:all\n";

    private final ManualClock clock = new ManualClock();

    @TempDir
    private Path folder;

    private Attacked node;

    @BeforeEach
    void start() throws IOException {
        write("alice " + TOKEN + " *:all\n");
        node = new Attacked(
                NodeOptions.onLoopback("memory-0", 0, 64L << 20)
                        .withSecurity(
                                TokenFileAuthenticator.open(folder.resolve("credentials"), clock), Transports.PLAIN),
                FRIEND);
    }

    @AfterEach
    void stop() throws IOException {
        node.close();
    }

    private void write(String lines) {
        PrivateFiles.write(folder.resolve("credentials"), FRIEND_LINE + lines);
        clock.advance(TimeUnit.SECONDS.toNanos(1));
    }

    private RawClient stranger() throws IOException {
        return new RawClient(node.server.address());
    }

    private String assertRefused(RawHandshake who) throws IOException {
        long before = node.count(NodeCounter.REFUSED_CREDENTIALS);
        try (RawClient raw = stranger()) {
            RawClient.Answer refused = who.attempt(raw, Attacked.POOL);
            assertRefused(raw, refused, before);
            return refused.text();
        }
    }

    private void assertRefused(RawClient raw, RawClient.Answer refused, long before) throws IOException {
        assertEquals(Frame.REFUSED, refused.kind());
        assertEquals(RefusedCode.CREDENTIALS, refused.status());
        assertEquals(null, raw.readOrEnd());
        assertEquals(before + 1, node.count(NodeCounter.REFUSED_CREDENTIALS));
        node.assertUnharmed();
    }

    @Test
    void theTokenLetsIn() throws IOException {
        ALICE.enter(node.server, Attacked.POOL).close();
    }

    /** Unknown names and wrong tokens get equal refusals. Otherwise an attacker could find out which names exist. */
    @Test
    void noTokenAWrongOneAndAnUnknownNameAreRefusedAlike() throws IOException {
        String none = assertRefused(new RawHandshake("alice", null));
        String wrong = assertRefused(RawHandshake.of("alice", Tokens.random()));
        String unknown = assertRefused(RawHandshake.of("mallory", TOKEN));

        assertEquals(none, wrong);
        assertEquals(wrong, unknown);
    }

    @Test
    void theTokenOfAnotherClientIsRefused() throws IOException {
        assertRefused(RawHandshake.of("alice", FRIENDS));
    }

    /** The challenge for an unknown name looks like that for a known one. */
    @Test
    void aChallengeDoesNotTellWhoIsKnown() throws IOException {
        try (RawClient known = stranger();
                RawClient unknown = stranger()) {
            known.send(ALICE.hello(Attacked.POOL));
            unknown.send(RawHandshake.of("zelda", TOKEN).hello(Attacked.POOL));
            RawClient.Answer one = known.read();
            RawClient.Answer other = unknown.read();

            assertEquals(one.count(), other.count());
            assertEquals(one.body().capacity(), other.body().capacity());
        }
    }

    /** An eavesdropper replays a recorded handshake. It fails, because the node's nonce differs. */
    @Test
    void aReplayedHandshakeIsRefused() throws IOException {
        byte[] hello = ALICE.hello(Attacked.POOL);
        byte[] proof;
        try (RawClient honest = stranger()) {
            honest.send(hello);
            proof = ALICE.proof(hello, RawHandshake.challenge(honest.read()), Attacked.POOL);
            honest.send(proof);
            assertEquals(Frame.WELCOME, honest.read().kind());
        }
        long before = node.count(NodeCounter.REFUSED_CREDENTIALS);
        try (RawClient tap = stranger()) {
            tap.send(hello);
            tap.read();
            tap.send(proof);
            assertRefused(tap, tap.read(), before);
        }
    }

    /** The node sends a proof too. Sending this proof back does not prove that the client has the token. */
    @Test
    void theNodesOwnProofIsRefused() throws IOException {
        long before = node.count(NodeCounter.REFUSED_CREDENTIALS);
        try (RawClient mirror = stranger()) {
            mirror.send(ALICE.hello(Attacked.POOL));
            mirror.send(RawHandshake.proofFrame(
                    RawHandshake.challenge(mirror.read()).proof()));
            assertRefused(mirror, mirror.read(), before);
        }
    }

    /** A proof is bound to the pool and the place that the HELLO named. */
    @Test
    void aProofForAnotherPoolIsRefused() throws IOException {
        long before = node.count(NodeCounter.REFUSED_CREDENTIALS);
        try (RawClient raw = stranger()) {
            byte[] hello = ALICE.hello(Attacked.POOL);
            raw.send(hello);
            raw.send(ALICE.proof(hello, RawHandshake.challenge(raw.read()), "other"));
            assertRefused(raw, raw.read(), before);
        }
    }

    @Test
    void theTokenOfAnotherClusterIsRefused() throws IOException {
        PrivateFiles.write(folder.resolve("other"), "alice " + NEXT + " *:all\n");
        try (MemoryServer other = MemoryServer.start(NodeOptions.onLoopback("memory-0", 0, 4 << 20)
                .withSecurity(TokenFileAuthenticator.open(folder.resolve("other")), Transports.PLAIN))) {
            RawHandshake.of("alice", NEXT).enter(other, Attacked.POOL).close();
        }
        assertRefused(RawHandshake.of("alice", NEXT));
    }

    @Test
    void everyChallengeHasANewNonce() throws IOException {
        Set<String> nonces = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            try (RawClient raw = stranger()) {
                raw.send(ALICE.hello(Attacked.POOL));
                nonces.add(java.util.HexFormat.of()
                        .formatHex(RawHandshake.challenge(raw.read()).nonce()));
            }
        }
        assertEquals(50, nonces.size());
    }

    /** A connection whose token is withdrawn is cut, and the token is refused afterwards. */
    @Test
    void aWithdrawnTokenIsNoGood() throws IOException {
        try (RawClient raw = ALICE.enter(node.server, Attacked.POOL)) {
            write("");
            RawClient.Answer cut = raw.answer();

            assertEquals(Frame.REFUSED, cut.kind());
            assertEquals(RefusedCode.WITHDRAWN, cut.status());
            assertEquals(1, node.count(NodeCounter.REFUSED_WITHDRAWN));
        }
        assertRefused(ALICE);
    }

    /** Rotation of tokens without a stop: first both tokens are accepted and stay valid, then only the new one. */
    @Test
    void tokensChangeWithoutAStop() throws IOException {
        write("alice " + TOKEN + " *:all\nalice " + NEXT + " *:all\n");
        RawHandshake next = RawHandshake.of("alice", NEXT);
        try (RawClient old = ALICE.enter(node.server, Attacked.POOL);
                RawClient changed = next.enter(node.server, Attacked.POOL)) {
            openAndClose(TOKEN);
            openAndClose(NEXT);
            write("alice " + NEXT + " *:all\n");

            assertEquals(RefusedCode.WITHDRAWN, old.answer().status());
            assertTrue(changed.nextSession() > 0);
        }
        assertRefused(ALICE);
        assertThrows(FabricException.class, () -> openAndClose(TOKEN));
    }

    /** Opens a pool as applications do. The client checks the node's proof, with either of the two tokens. */
    private void openAndClose(String token) {
        Path file = PrivateFiles.write(folder.resolve("token"), token);
        int port = node.server.address().getPort();
        Fabric.open("tcp://127.0.0.1:" + port + "/" + Attacked.POOL + "?user=alice&tokenFile=" + file)
                .close();
    }

    /** Proofs and tokens are compared only by the constant-time method of the JDK. */
    @Test
    void comparisonsTakeTheSameTimeWhereverTheyDiffer() throws IOException {
        for (Class<?> compares : new Class<?>[] {Proof.class, Token.class})
            assertTrue(code(compares).contains("isEqual"), compares + " compares by MessageDigest.isEqual");
        for (Class<?> judges : new Class<?>[] {Proof.class, Token.class, Handshake.class})
            assertFalse(code(judges).contains("java/util/Arrays"), judges + " compares in no other way");
    }

    private static String code(Class<?> type) throws IOException {
        try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /** Each failure of an address doubles the delay of the next answer, up to a limit. */
    @Test
    void guessingTakesLongerAndLonger() {
        LoginBackoff backOff = new LoginBackoff();
        long first = backOff.failed("10.0.0.1", 0);
        long second = backOff.failed("10.0.0.1", 1);

        assertEquals(2 * first, second);
        assertEquals(first, backOff.failed("10.0.0.2", 2));
        for (int i = 0; i < 100; i++) backOff.failed("10.0.0.1", 3);
        assertEquals(64 * first, backOff.failed("10.0.0.1", 4));
        for (int i = 0; i < 100_000; i++) backOff.failed("host " + i, 5);
        assertTrue(backOff.addresses() <= 1024);
    }
}
