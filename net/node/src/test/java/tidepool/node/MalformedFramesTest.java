package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.fabric.VerbKind;
import tidepool.memory.AccessCode;
import tidepool.wire.ControlCode;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;

/** Frames that break the rules are counted, answered with one refusal, and not executed at all. */
class MalformedFramesTest {
    private static final int REGION_BYTES = 64 << 10;

    private MemoryServer server;
    private RawClient witness;
    private Id128 capability;
    private long handle;
    private long session;

    @BeforeEach
    void start() throws IOException {
        server = MemoryServer.start(NodeOptions.onLoopback("memory-0", 0, 64L << 20));
        session = 1;
        witness = RawClient.known(server, "bank");
        session = witness.nextSession();
        witness.control(ControlCode.ATTACH, session, 1, 2, 3);
        witness.control(ControlCode.OPEN_LINK, 0);
        RawClient.Answer created = witness.control(ControlCode.CREATE_REGION, REGION_BYTES);
        capability = new Id128(created.word(0), created.word(1));
        handle = open(witness);
        long[] pattern = new long[REGION_BYTES / 8];
        for (int i = 0; i < pattern.length; i++) pattern[i] = i * 0x9E3779B97F4A7C15L;
        assertEquals(0, witness.round(new Verbs().write(handle, 0, pattern)).status());
    }

    @AfterEach
    void stop() throws IOException {
        witness.close();
        server.close();
    }

    private long open(RawClient client) throws IOException {
        return client.control(ControlCode.OPEN_REGION, 0, capability.high(), capability.low())
                .word(0);
    }

    private byte[] memory() throws IOException {
        RawClient.Answer all = witness.round(new Verbs().read(handle, 0, REGION_BYTES));
        assertEquals(0, all.status(), "the others go on");
        return all.body().array();
    }

    /** Sends bytes on a connection of their own. Asserts that memory is unchanged and that the witness is served. */
    private void refused(String what, byte[] bytes) throws IOException {
        long before = server.counters().value(NodeCounter.REFUSED_MALFORMED);
        try (RawClient client = RawClient.attached(server, "bank", session)) {
            assertEquals(0, open(client), "the handle that the frames name");
            client.send(bytes);
            client.socket.shutdownOutput();
            RawClient.Answer last = null;
            for (RawClient.Answer next = client.readOrEnd(); next != null; next = client.readOrEnd()) last = next;
            assertTrue(last != null && last.kind() == Frame.REFUSED, what + ": " + last);
            assertEquals(RefusedCode.MALFORMED, last.status(), what);
            assertFalse(last.text().isEmpty(), what);
        }
        assertEquals(before + 1, server.counters().value(NodeCounter.REFUSED_MALFORMED), what);
    }

    /** Returns the frame with one field replaced. */
    private static byte[] with(byte[] frame, int offset, int bytes, long value) {
        byte[] changed = frame.clone();
        for (int i = 0; i < bytes; i++) changed[offset + i] = (byte) (value >>> 8 * i);
        return changed;
    }

    private byte[] writes(long ownHandle) {
        return RawClient.round(0, 1, new Verbs().write(ownHandle, 0, 1, 2, 0xee).faa(ownHandle, 8, 1));
    }

    @Test
    void eachFieldOfAHeaderAtItsWorstIsRefused() throws IOException {
        byte[] before = memory();
        byte[] good = writes(0);
        for (long bytes : new long[] {0, 1, 8, 15, 17, 20, good.length - 8, 0x7fffffffL, 0x80000000L, 0xffffffffL})
            refused("bytes=" + bytes, with(good, Frame.BYTES, 4, bytes));
        refused("bytes above the limit", with(good, Frame.BYTES, 4, NodeLimits.DEFAULT.frameBytes() + 8));
        for (int kind : new int[] {0, 1, 2, 3, 4, 5, 7, 9, 10, 13, 127, 128, 255})
            refused("kind=" + kind, with(good, Frame.KIND, 1, kind));
        for (int status : new int[] {1, 255}) refused("status=" + status, with(good, Frame.STATUS, 1, status));
        for (int count : new int[] {0, 1, 3, 0x7fff, 0xffff})
            refused("count=" + count, with(good, Frame.COUNT, 2, count));
        byte[] beat = RawClient.frame(Frame.BEAT, 0, 0, 7, new byte[0]);
        refused("link of a BEAT", with(beat, Frame.LINK, 4, 1));
        refused("count of a BEAT", with(beat, Frame.COUNT, 2, 1));
        refused("body of a BEAT", RawClient.frame(Frame.BEAT, 0, 0, 7, new byte[8]));
        refused("body of a GOODBYE", RawClient.frame(Frame.GOODBYE, 0, 0, 7, new byte[8]));
        assertTrue(Arrays.equals(before, memory()));
    }

    @Test
    void eachFieldOfAVerbAtItsWorstIsRefused() throws IOException {
        byte[] before = memory();
        int verb = Frame.HEADER;
        byte[] write = writes(0);
        for (int kind : new int[] {0, 10, 11, 127, 255}) refused("kind=" + kind, with(write, verb, 1, kind));
        refused("bits that are zero", with(write, verb + 1, 1, 1));
        for (long length : new long[] {-1, 32, 1 << 20, Integer.MAX_VALUE, 0xffffffffL, Long.MAX_VALUE, Long.MIN_VALUE})
            refused("WRITE length=" + length, with(write, verb + 16, 8, length));
        refused("WRITE length=16 leaves a word", with(write, verb + 16, 8, 16));
        byte[] padded = RawClient.round(0, 1, new Verbs().verb(VerbKind.WRITE, 0, 0, 3, 0x01_000000L));
        refused("padding that is not zero", padded);
        byte[] flush = RawClient.round(0, 1, new Verbs().flush());
        refused("FLUSH with a handle", with(flush, verb + 2, 1, 1));
        refused("FLUSH with an offset", with(flush, verb + 8, 1, 1));
        byte[] call = RawClient.round(0, 1, new Verbs().call(0, 16, 1, 2));
        for (long length : new long[] {-1, 32, Long.MAX_VALUE})
            refused("CALL bytes=" + length, with(call, verb + 8, 8, length));
        for (long room : new long[] {-1, 1 << 21, Long.MAX_VALUE})
            refused("CALL room=" + room, with(call, verb + 16, 8, room));
        Verbs tooMuch = new Verbs();
        for (int i = 0; i < 17; i++) tooMuch.read(0, 0, REGION_BYTES);
        refused("an answer longer than a frame", RawClient.round(0, 1, tooMuch));
        assertTrue(Arrays.equals(before, memory()));
    }

    @Test
    void everyTruncationAndEveryExcessIsRefused() throws IOException {
        byte[] before = memory();
        byte[] good = RawClient.round(
                0,
                1,
                new Verbs()
                        .write(0, 0, 1, 2, 3)
                        .cas(0, 0, 1, 2)
                        .maskedCas(0, 0, 1, 2, 3, 4)
                        .call(0, 8, 1));
        for (int bytes = Frame.HEADER; bytes < good.length; bytes += 8)
            refused("cut to " + bytes, with(Arrays.copyOf(good, bytes), Frame.BYTES, 4, bytes));
        for (int more = 8; more <= 24; more += 8)
            refused(
                    "longer by " + more,
                    with(Arrays.copyOf(good, good.length + more), Frame.BYTES, 4, good.length + more));
        byte[] control = RawClient.frame(Frame.CONTROL, 2, 0, 1, RawClient.words(ControlCode.RAISE_EPOCH, 99));
        refused("CONTROL without words", RawClient.frame(Frame.CONTROL, 0, 0, 1, new byte[0]));
        refused("CONTROL cut", with(Arrays.copyOf(control, 24), Frame.BYTES, 4, 24));
        refused(
                "CONTROL longer",
                RawClient.frame(Frame.CONTROL, 3, 0, 1, RawClient.words(ControlCode.RAISE_EPOCH, 99, 0)));
        for (long operation : new long[] {0, -1, 22, 1L << 32 | ControlCode.RAISE_EPOCH, Long.MIN_VALUE})
            refused("CONTROL " + operation, RawClient.frame(Frame.CONTROL, 2, 0, 1, RawClient.words(operation, 99)));
        assertEquals(1, witness.control(ControlCode.EPOCH).word(0));
        assertTrue(Arrays.equals(before, memory()));
    }

    @Test
    void whatDoesNotBreakTheRulesButMayNotBeIsRefusedByItsVerb() throws IOException {
        byte[] before = memory();
        record Bad(int access, Verbs verbs) {}
        List<Bad> all = new ArrayList<>();
        for (long length : new long[] {0, -8, Long.MIN_VALUE, 1L << 40, Long.MAX_VALUE - 7, REGION_BYTES + 8})
            all.add(new Bad(AccessCode.BOUNDS, new Verbs().read(handle, 0, length)));
        all.add(new Bad(AccessCode.ALIGNMENT, new Verbs().read(handle, 0, 4)));
        for (long offset : new long[] {-8, REGION_BYTES, Long.MAX_VALUE - 7, Long.MIN_VALUE, Long.MAX_VALUE - 15}) {
            all.add(new Bad(AccessCode.BOUNDS, new Verbs().write(handle, offset, 1)));
            all.add(new Bad(AccessCode.BOUNDS, new Verbs().read(handle, offset, 16)));
            all.add(new Bad(AccessCode.BOUNDS, new Verbs().faa(handle, offset, 1)));
        }
        all.add(new Bad(AccessCode.ALIGNMENT, new Verbs().cas(handle, 4, 0, 1)));
        all.add(new Bad(AccessCode.ALIGNMENT, new Verbs().faa(handle, 1, 1)));
        all.add(new Bad(AccessCode.BOUNDS, new Verbs().write(handle, 0)));
        for (long other : new long[] {handle + 1, handle - 1, 0xffff_ffff_ffffL, 1L << 40})
            all.add(new Bad(AccessCode.KEY, new Verbs().write(other, 0, 1)));
        all.add(new Bad(AccessCode.HANDLER, new Verbs().call(255, 8, 1)));
        all.add(new Bad(AccessCode.HANDLER, new Verbs().call(1L << 40, 8, 1)));
        all.add(new Bad(AccessCode.DESCRIPTOR, new Verbs().chain(handle, 64)));
        try (RawClient client = RawClient.attached(server, "bank", session)) {
            assertEquals(handle, open(client));
            for (Bad bad : all) {
                assertEquals(bad.access, client.round(bad.verbs).status(), Arrays.toString(bad.verbs.bytes()));
                client.control(ControlCode.OPEN_LINK, 0);
                long fresh = open(client);
                for (Bad later : all) later.verbs.move(fresh - handle);
                handle = fresh;
            }
        }
        witness.control(ControlCode.OPEN_LINK, 0);
        handle = open(witness);
        assertTrue(Arrays.equals(before, memory()));
    }

    @Test
    void segmentsDoNotMatter() throws IOException {
        byte[] one = RawClient.round(0, 1, new Verbs().faa(handle, 0, 1));
        byte[] two = RawClient.round(0, 2, new Verbs().write(handle, 8, 5).read(handle, 8, 8));
        byte[] both = Arrays.copyOf(one, one.length + two.length);
        System.arraycopy(two, 0, both, one.length, two.length);
        for (int cut = 1; cut < both.length; cut += 7) {
            witness.send(Arrays.copyOf(both, cut));
            // After this call of the loop, the node has surely read the first part alone.
            server.status();
            witness.send(Arrays.copyOfRange(both, cut, both.length));
            assertEquals(1, witness.answer().sequence());
            assertEquals(5, witness.answer().word(0));
        }
        ByteBuffer many = ByteBuffer.allocate(100 * one.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 100; i++) many.put(RawClient.round(0, i, new Verbs().faa(handle, 16, 1)));
        witness.send(many.array());
        long first = witness.answer().word(0);
        for (int i = 1; i < 100; i++) {
            RawClient.Answer answer = witness.answer();
            assertEquals(i, answer.sequence());
            assertEquals(first + i, answer.word(0), "in their order");
        }
    }

    @Test
    void aHelloAtItsWorstIsRefused() throws IOException {
        byte[] good = RawClient.hello("teller", "bank", 0, 1, new Id128(0, 0));
        List<byte[]> all = new ArrayList<>();
        all.add(with(good, Frame.HEADER, 1, 'X'));
        all.add(with(good, Frame.HEADER + 20, 4, 1));
        all.add(with(good, Frame.HEADER + 12, 4, 0x80000000L));
        all.add(with(good, Frame.HEADER + 72, 2, 0xffff));
        all.add(with(good, Frame.HEADER + 72, 2, 65));
        all.add(with(good, Frame.HEADER + 72 + 8, 2, 0xffff));
        all.add(with(good, Frame.HEADER + 74, 1, 0x07));
        all.add(with(good, Frame.HEADER + 74, 1, 0xff));
        all.add(with(good, good.length - 1, 1, 1));
        all.add(with(good, Frame.COUNT, 2, 1));
        all.add(with(good, Frame.BYTES, 4, Frame.MAX_HANDSHAKE_BYTES + 8));
        all.add(writes(0));
        for (int bytes = Frame.HEADER; bytes < good.length; bytes += 8)
            all.add(with(Arrays.copyOf(good, bytes), Frame.BYTES, 4, bytes));
        all.add(with(Arrays.copyOf(good, good.length + 8), Frame.BYTES, 4, good.length + 8));
        all.add("GET / HTTP/1.1\r\nHost: memory\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        for (byte[] bad : all) {
            try (RawClient client = new RawClient(server.address())) {
                client.send(bad);
                RawClient.Answer refused = client.read();
                assertEquals(
                        RefusedCode.MALFORMED,
                        refused.status(),
                        new String(bad, java.nio.charset.StandardCharsets.ISO_8859_1));
                assertNull(client.readOrEnd());
            }
        }
        try (RawClient client = new RawClient(server.address())) {
            client.send(good);
            client.read();
            client.send(RawClient.frame(Frame.PROOF, 0, 0, 0, new byte[24]));
            assertEquals(RefusedCode.MALFORMED, client.read().status());
        }
    }
}
