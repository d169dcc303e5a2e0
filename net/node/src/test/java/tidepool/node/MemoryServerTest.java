package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.memory.AccessCode;
import tidepool.memory.ChainedWorkLayout;
import tidepool.memory.Handlers;
import tidepool.wire.ControlCode;
import tidepool.wire.ControlStatus;
import tidepool.wire.Frame;
import tidepool.wire.NodeStatus;
import tidepool.wire.RefusedCode;

/** The node over a raw socket: its answers are those of docs/internals/wire.md. */
class MemoryServerTest {
    private static final int MEGABYTE = 1 << 20;

    private MemoryServer server;
    private RawClient control;
    private RawClient client;
    private long handle;

    @BeforeEach
    void start() throws IOException {
        server = MemoryServer.start(NodeOptions.onLoopback("memory-0", 0, 64L * MEGABYTE));
        control = RawClient.known(server, "bank");
        client = RawClient.attached(server, "bank", control.nextSession());
        handle = client.region(MEGABYTE);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        control.close();
        server.close();
    }

    @Test
    void aHandshakeEndsWithWhatTheClientHasToKnow() throws IOException {
        try (RawClient raw = new RawClient(server.address())) {
            raw.send(RawClient.hello("teller", "bank", 0, 1, new Id128(0, 0)));
            RawClient.Answer challenge = raw.read();
            assertEquals(Frame.CHALLENGE, challenge.kind());
            assertEquals(Frame.VERSION, challenge.body().getInt(0));
            assertEquals(0, challenge.body().getInt(4), "method none");
            assertEquals("memory-0".length(), challenge.body().getShort(72));
            raw.send(RawClient.frame(Frame.PROOF, 0, 0, 0, new byte[Frame.PROOF_BYTES]));
            RawClient.Answer welcome = raw.read();
            assertEquals(Frame.WELCOME, welcome.kind());
            assertEquals(8, welcome.count());
            assertNotEquals(0, welcome.word(0), "an id that nobody can guess");
            assertEquals(1, welcome.word(2), "epoch");
            assertEquals(NodeLimits.DEFAULT.frameBytes(), welcome.word(3));
            assertEquals(NodeLimits.DEFAULT.outstandingRounds(), welcome.word(4));
            assertEquals(2_000_000_000L, welcome.word(5), "lease");
            assertEquals(15, welcome.word(6), "all rights");
        }
    }

    @Test
    void anotherVersionIsRefusedWithASentenceThatNamesBoth() throws IOException {
        try (RawClient raw = new RawClient(server.address())) {
            byte[] hello = RawClient.hello("teller", "bank", 0, 1, new Id128(0, 0));
            hello[Frame.HEADER + 8] = 9;
            raw.send(hello);
            RawClient.Answer refused = raw.read();
            assertEquals(Frame.REFUSED, refused.kind());
            assertEquals(RefusedCode.VERSION, refused.status());
            String own = "version " + Frame.VERSION;
            assertTrue(refused.text().contains("version 9") && refused.text().contains(own), refused.text());
            assertEquals(null, raw.readOrEnd());
        }
    }

    @Test
    void eachVerbDoesWhatItsNameSays() throws IOException {
        RawClient.Answer answer = client.round(new Verbs()
                .write(handle, 64, 7, 8, 9)
                .read(handle, 64, 24)
                .cas(handle, 64, 7, 70)
                .faa(handle, 72, 2)
                .maskedCas(handle, 80, 0x9, 0xf, 0xab, 0xf0)
                .maskedFaa(handle, 88, 5, 0)
                .flush()
                .call(Handlers.ECHO, 16, 11, 12)
                .read(handle, 64, 32));
        assertEquals(Frame.ANSWER, answer.kind());
        assertEquals(0, answer.status());
        assertEquals(9, answer.count());
        long[] expected = {7, 8, 9, 7, 8, 9, 0, 16, 11, 12, 70, 10, 0xa9, 5};
        assertEquals(expected.length * 8, answer.body().capacity());
        for (int i = 0; i < expected.length; i++) assertEquals(expected[i], answer.word(i), "word " + i);
    }

    @Test
    void chainedWorkIsDoneByTheNode() throws IOException {
        long step = ChainedWorkLayout.SET; // on region 0
        RawClient.Answer answer = client.round(new Verbs()
                .write(handle, 0, ChainedWorkLayout.MAGIC << 32 | 1, 0, step, 512, 42, 0)
                .chain(handle, 0)
                .read(handle, 512, 8));
        assertEquals(0, answer.status());
        assertEquals(42, answer.word(0));
    }

    @Test
    void aRefusedVerbBreaksItsLinkAndNoOther() throws IOException {
        client.control(ControlCode.OPEN_LINK, 1);
        RawClient.Answer refused = client.round(
                new Verbs().write(handle, 0, 1).read(handle, MEGABYTE, 8).write(handle, 0, 2));
        assertEquals(AccessCode.BOUNDS, refused.status());
        assertEquals(1, refused.count());
        assertEquals(Frame.BROKEN, client.round(new Verbs().read(handle, 0, 8)).status());
        client.send(RawClient.round(1, 5, new Verbs().flush()));
        RawClient.Answer other = client.answer();
        assertEquals(0, other.status());
        assertEquals(1, other.link());
        assertEquals(5, other.sequence());

        client.control(ControlCode.OPEN_LINK, 0);
        RawClient.Answer old = client.round(new Verbs().read(handle, 0, 8));
        assertEquals(AccessCode.KEY, old.status(), "handles end with their link");
        client.control(ControlCode.OPEN_LINK, 0);
        RawClient.Answer regions = client.control(ControlCode.REGIONS);
        long again = client.control(ControlCode.OPEN_REGION, 0, regions.word(0), regions.word(1))
                .word(0);
        assertEquals(
                1,
                client.round(new Verbs().read(again, 0, 8)).word(0),
                "what stood behind the refused verb is not done");
    }

    @Test
    void aRevokedSessionIsCutAndStaysOut() throws IOException {
        long session = control.nextSession();
        try (RawClient victim = RawClient.attached(server, "bank", session)) {
            assertEquals(0, control.control(ControlCode.IS_REVOKED, session).word(0));
            assertEquals(0, control.control(ControlCode.REVOKE, session).status());
            RawClient.Answer cut = victim.answer();
            assertEquals(Frame.REFUSED, cut.kind());
            assertEquals(RefusedCode.REVOKED, cut.status());
            assertEquals(1, control.control(ControlCode.IS_REVOKED, session).word(0));
            assertEquals(1, control.control(ControlCode.IS_DEAD, session).word(0));
        }
        NodeStatus status = NodeStatus.parse(control.control(ControlCode.STATUS).text());
        assertEquals(List.of(), status.errors(), "a client that died or was replaced is no error of the node");
        assertEquals(1, status.count("refused-revoked").orElse(0));
        try (RawClient again = RawClient.known(server, "bank")) {
            assertEquals(
                    ControlStatus.EPOCH,
                    again.control(ControlCode.ATTACH, session, 1, 2, 3).status());
        }
        assertEquals(0, control.control(ControlCode.FORGET, session).status());
        assertEquals(0, control.control(ControlCode.IS_REVOKED, session).word(0));
    }

    @Test
    void aStatusSaysWhoIsThere() throws IOException {
        client.round(new Verbs().read(handle, 0, 8).flush());
        NodeStatus status = NodeStatus.parse(control.control(ControlCode.STATUS).text());
        assertEquals("memory-0", status.name());
        assertEquals(2, status.clients().size());
        assertEquals(1, status.pools().get(0).regions());
        assertEquals(1, status.count("verbs-flush").orElseThrow());
        assertEquals(status.toText(), NodeStatus.parse(status.toText()).toText());
        assertEquals(2, server.status().clients().size());
    }
}
