package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.memory.AccessCode;
import tidepool.memory.Handlers;
import tidepool.node.security.ClientAuthenticator;
import tidepool.wire.AuthMethod;
import tidepool.wire.ControlCode;
import tidepool.wire.ControlStatus;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;
import tidepool.wire.Transports;
import tidepool.wire.tls.Proof;
import tidepool.wire.tls.Rights;
import tidepool.wire.tls.Token;

/** Admission of clients, their rights, and the effects of changed credentials. */
class NodeAdmissionTest {
    private static final Token OLD = Token.of("old secret");
    private static final Token NEW = Token.of("new secret");
    private static final Token UNASSIGNED = Token.of("nobody has this");
    private static final Rights ORDINARY = new Rights(true, true, true, false);

    /** An authenticator with one client, teller, whose tokens and rights a test changes. */
    private static final class OneClient implements ClientAuthenticator {
        private volatile List<Token> tokens = List.of(OLD);
        private volatile Rights rights = Rights.ALL;
        private volatile long generation;

        @Override
        public int method() {
            return AuthMethod.TOKEN;
        }

        @Override
        public List<Token> tokens(String client) {
            return client.equals("teller") ? tokens : List.of(UNASSIGNED);
        }

        @Override
        public Rights rights(String client, String pool) {
            return client.equals("teller") && !pool.equals("vault") ? rights : Rights.NONE;
        }

        @Override
        public long generation() {
            return generation;
        }

        @Override
        public boolean isGood(String client, Token token) {
            return client.equals("teller") && tokens.stream().anyMatch(token::isSame);
        }
    }

    private final OneClient gate = new OneClient();

    private MemoryServer server() {
        return server(NodeLimits.DEFAULT);
    }

    private MemoryServer server(NodeLimits limits) {
        return MemoryServer.start(NodeOptions.onLoopback("memory-0", 0, 16 << 20)
                .withLease(Duration.ofHours(1), Duration.ofHours(1))
                .withLimits(limits)
                .withSecurity(gate, Transports.PLAIN));
    }

    /** Makes the handshake. Returns its last frame, WELCOME or REFUSED. */
    private static RawClient.Answer enter(RawClient raw, String client, String pool, Token token) throws IOException {
        raw.send(RawClient.hello(client, pool, 0, 1, new Id128(0, 0)));
        RawClient.Answer challenge = raw.read();
        raw.send(RawClient.frame(Frame.PROOF, 0, 0, 0, Proof.ofClient(token, talk(challenge, client, pool))));
        return raw.read();
    }

    private static Proof.Talk talk(RawClient.Answer challenge, String client, String pool) {
        byte[] nonce = new byte[Frame.NONCE_BYTES];
        challenge.body().get(8, nonce);
        return new Proof.Talk(new byte[Frame.NONCE_BYTES], nonce, client, "memory-0", pool, 0);
    }

    private RawClient known(MemoryServer server) throws IOException {
        RawClient raw = new RawClient(server.address());
        assertEquals(Frame.WELCOME, enter(raw, "teller", "bank", OLD).kind());
        return raw;
    }

    @Test
    void theRightTokenGetsInAndTheNodeShowsThatItHasItToo() throws IOException {
        try (MemoryServer server = server();
                RawClient raw = new RawClient(server.address())) {
            raw.send(RawClient.hello("teller", "bank", 0, 1, new Id128(0, 0)));
            RawClient.Answer challenge = raw.read();
            assertEquals(AuthMethod.TOKEN, challenge.body().getInt(4));
            byte[] proof = new byte[Frame.PROOF_BYTES];
            challenge.body().get(8 + Frame.NONCE_BYTES, proof);
            assertArrayEquals(Proof.ofNode(OLD, talk(challenge, "teller", "bank")), proof);
            raw.send(RawClient.frame(Frame.PROOF, 0, 0, 0, Proof.ofClient(OLD, talk(challenge, "teller", "bank"))));
            assertEquals(Frame.WELCOME, raw.read().kind());
        }
    }

    @Test
    void clientsWithoutTheTokenAreRefusedInTheSameWords() throws IOException {
        try (MemoryServer server = server()) {
            String sentence = null;
            for (String client : new String[] {"teller", "stranger", ""}) {
                try (RawClient raw = new RawClient(server.address())) {
                    RawClient.Answer refused = enter(raw, client, "bank", NEW);
                    assertEquals(RefusedCode.CREDENTIALS, refused.status());
                    assertFalse(refused.text().contains("teller"));
                    if (sentence != null) assertEquals(sentence, refused.text());
                    sentence = refused.text();
                }
            }
            try (RawClient raw = new RawClient(server.address())) {
                raw.send(RawClient.hello("teller", "bank", 0, 1, new Id128(0, 0)));
                RawClient.Answer challenge = raw.read();
                byte[] echo = new byte[Frame.PROOF_BYTES];
                challenge.body().get(8 + Frame.NONCE_BYTES, echo);
                raw.send(RawClient.frame(Frame.PROOF, 0, 0, 0, echo));
                assertEquals(RefusedCode.CREDENTIALS, raw.read().status(), "the node's own proof sent back");
            }
            assertEquals(4, server.counters().value(NodeCounter.REFUSED_CREDENTIALS));
            assertTrue(server.status().pools().isEmpty(), "nobody created anything");
            assertTrue(server.status().errors().get(1).contains("client=stranger"), "the audit names who it was");
            assertTrue(server.status().errors().stream().noneMatch(e -> e.contains("secret")));
        }
    }

    @Test
    void aRecordedHandshakeIsWorthNothing() throws IOException {
        try (MemoryServer server = server();
                RawClient first = new RawClient(server.address());
                RawClient second = new RawClient(server.address())) {
            first.send(RawClient.hello("teller", "bank", 0, 1, new Id128(0, 0)));
            byte[] proof =
                    RawClient.frame(Frame.PROOF, 0, 0, 0, Proof.ofClient(OLD, talk(first.read(), "teller", "bank")));
            first.send(proof);
            assertEquals(Frame.WELCOME, first.read().kind());
            second.send(RawClient.hello("teller", "bank", 0, 1, new Id128(0, 0)));
            second.read();
            second.send(proof);
            assertEquals(RefusedCode.CREDENTIALS, second.read().status());
        }
    }

    @Test
    void whileATokenIsChangedBothGetInAndAfterwardsOnlyTheNewOne() throws IOException {
        try (MemoryServer server = server();
                RawClient old = known(server)) {
            gate.tokens = List.of(NEW, OLD);
            gate.generation++;
            try (RawClient fresh = new RawClient(server.address());
                    RawClient other = new RawClient(server.address())) {
                assertEquals(Frame.WELCOME, enter(fresh, "teller", "bank", NEW).kind());
                other.send(RawClient.hello("teller", "bank", 0, 1, new Id128(0, 0)));
                RawClient.Answer challenge = other.read();
                assertEquals(1, challenge.count(), "another proof follows");
                byte[] second = new byte[Frame.PROOF_BYTES];
                challenge.body().get(challenge.body().capacity() - Frame.PROOF_BYTES, second);
                assertArrayEquals(Proof.ofNode(OLD, talk(challenge, "teller", "bank")), second);
                assertEquals(1, old.control(ControlCode.EPOCH).word(0));
                gate.tokens = List.of(NEW);
                gate.generation++;
                RawClient.Answer cut = old.answer();
                assertEquals(Frame.REFUSED, cut.kind());
                assertEquals(RefusedCode.WITHDRAWN, cut.status());
                assertEquals(1, fresh.control(ControlCode.EPOCH).word(0), "the new one stays");
            }
        }
    }

    @Test
    void aPoolThatIsNotTheirsIsRefused() throws IOException {
        try (MemoryServer server = server();
                RawClient raw = new RawClient(server.address())) {
            assertEquals(RefusedCode.RIGHT, enter(raw, "teller", "vault", OLD).status());
            gate.rights = ORDINARY;
            try (RawClient creator = new RawClient(server.address());
                    RawClient asks = new RawClient(server.address())) {
                assertEquals(
                        RefusedCode.POOL, enter(creator, "teller", "bank", OLD).status(), "only an admin creates");
                assertEquals(RefusedCode.RIGHT, enter(asks, "teller", "", OLD).status(), "only an admin asks the node");
            }
        }
    }

    @Test
    void whoMayOnlyReadOnlyReads() throws IOException {
        try (MemoryServer server = server();
                RawClient writer = known(server)) {
            writer.attach(1);
            writer.control(ControlCode.OPEN_LINK, 0);
            RawClient.Answer region = writer.control(ControlCode.CREATE_REGION, 4096);
            gate.rights = new Rights(true, false, false, false);
            try (RawClient reader = known(server)) {
                assertEquals(
                        0,
                        reader.control(ControlCode.ATTACH, reader.nextSession(), 1, 2, 3)
                                .status());
                Verbs[] changes = {
                    new Verbs().write(256, 0, 1),
                    new Verbs().cas(256, 0, 0, 1),
                    new Verbs().faa(256, 0, 1),
                    new Verbs().maskedCas(256, 0, 0, 0, 1, 1),
                    new Verbs().maskedFaa(256, 0, 1, 0),
                    new Verbs().chain(256, 0),
                    new Verbs().call(Handlers.ECHO, 8, 1)
                };
                for (Verbs change : changes) {
                    reader.control(ControlCode.OPEN_LINK, 0);
                    assertEquals(AccessCode.RIGHT, reader.round(change).status());
                }
                reader.control(ControlCode.OPEN_LINK, 0);
                long handle = reader.control(ControlCode.OPEN_REGION, 0, region.word(0), region.word(1))
                        .word(0);
                assertEquals(0, reader.round(new Verbs().read(handle, 0, 8)).word(0));
                long[][] refused = {
                    {ControlCode.CREATE_REGION, 4096},
                    {ControlCode.FREE_REGION, region.word(0), region.word(1)},
                    {ControlCode.ALLOCATE, region.word(0), region.word(1), 4096, 2},
                    {ControlCode.FREE, region.word(0), region.word(1), 0, 4096},
                    {ControlCode.REVOKE, 1},
                    {ControlCode.FORGET, 1},
                    {ControlCode.RAISE_EPOCH, 9},
                    {ControlCode.STATUS}
                };
                for (long[] call : refused)
                    assertEquals(ControlStatus.RIGHT, reader.control(call).status());
            }
        }
    }

    /** Ordinary clients cannot use up all connections. An administrator still gets in and sees which clients do. */
    @Test
    void someConnectionsAreForAdministrators() throws IOException {
        int connections = 64;
        int reserved = 2;
        NodeLimits usual = NodeLimits.DEFAULT;
        NodeLimits limits = new NodeLimits(
                connections,
                connections,
                usual.outstandingRounds(),
                usual.frameBytes(),
                usual.unsentBytes(),
                Duration.ofHours(1),
                Duration.ofHours(1));
        List<RawClient> in = new ArrayList<>();
        try (MemoryServer server = server(limits)) {
            try {
                known(server).close(); // an administrator makes the pool
                untilThereAre(server, 0);
                gate.rights = ORDINARY;
                while (in.size() < connections - reserved) in.add(known(server));
                try (RawClient ordinary = new RawClient(server.address())) {
                    RawClient.Answer refused = enter(ordinary, "teller", "bank", OLD);
                    assertEquals(RefusedCode.LIMIT, refused.status());
                    assertEquals(
                            "the node has all its 64 connections but 2, which are for administrators", refused.text());
                }
                untilThereAre(server, connections - reserved);
                gate.rights = Rights.ALL;
                while (in.size() < connections) in.add(known(server));
                assertEquals(
                        ControlStatus.DONE,
                        in.getLast().control(ControlCode.STATUS).status());
                try (RawClient oneTooMany = new RawClient(server.address())) {
                    RawClient.Answer refused = oneTooMany.read();
                    assertEquals(RefusedCode.LIMIT, refused.status());
                    assertEquals("the node has all its 64 connections", refused.text());
                }
            } finally {
                for (RawClient client : in) client.close();
            }
        }
    }

    private static void untilThereAre(MemoryServer server, int connections) throws IOException {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (server.status().counts().get("connections-now") != connections) {
            if (System.nanoTime() > deadline)
                throw new IOException("connections: " + server.status().counts().get("connections-now"));
            Thread.onSpinWait();
        }
    }
}
