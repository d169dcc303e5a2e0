package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.fabric.VerbKind;
import tidepool.memory.AccessCode;
import tidepool.wire.ControlCode;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;

/** S2: huge lengths, overflowing sums and unaligned words are refused before memory is touched or allocated. */
class S2HugeLengthsTest {
    private static final long MAX_GROWTH = 8 << 20;

    private Attacked node;
    private RawClient raw;

    @BeforeEach
    void start() throws IOException {
        node = new Attacked();
        raw = node.insider(RawHandshake.ANONYMOUS);
    }

    @AfterEach
    void stop() throws IOException {
        raw.close();
        node.close();
    }

    private long open() throws IOException {
        raw.control(ControlCode.OPEN_LINK, 0);
        return raw.control(ControlCode.OPEN_REGION, 0, node.capabilityHigh, node.capabilityLow)
                .word(0);
    }

    private void assertRefused(int why, Verbs verbs) throws IOException {
        RawClient.Answer answer = raw.round(verbs);
        assertEquals(Frame.ANSWER, answer.kind(), "refused is the verb, not the frame");
        assertEquals(why, answer.status());
        assertEquals(0, answer.count());
        assertEquals(0, answer.body().capacity());
    }

    private void assertMalformed(byte[] frame) throws IOException {
        try (RawClient attacker = node.insider(RawHandshake.ANONYMOUS)) {
            long before = node.count(NodeCounter.REFUSED_MALFORMED);
            attacker.send(frame);
            Attacked.assertCut(attacker, RefusedCode.MALFORMED);
            node.awaitCount(NodeCounter.REFUSED_MALFORMED, before + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                -8,
                Integer.MAX_VALUE - 7L,
                1L << 31,
                (1L << 32) - 8,
                1L << 32,
                Long.MAX_VALUE - 7,
                Long.MIN_VALUE,
                Attacked.REGION + 8
            })
    void readsOfAbsurdLengthsAreOutOfBounds(long length) throws IOException {
        long before = direct();
        assertRefused(AccessCode.BOUNDS, new Verbs().read(open(), 0, length));
        assertTrue(direct() - before < MAX_GROWTH, "nothing is allocated for a length that is only claimed");
        node.assertUnharmed();
    }

    /** The sum of offset and length overflows to a small number that looks valid. */
    @Test
    void sumsDoNotOverflow() throws IOException {
        assertRefused(AccessCode.BOUNDS, new Verbs().read(open(), Long.MAX_VALUE - 7, 16));
        assertRefused(AccessCode.BOUNDS, new Verbs().read(open(), -8, 16));
        assertRefused(AccessCode.BOUNDS, new Verbs().read(open(), 8, Long.MAX_VALUE - 7));
        assertRefused(AccessCode.BOUNDS, new Verbs().write(open(), Long.MAX_VALUE - 7, 1, 2));
        assertRefused(AccessCode.BOUNDS, new Verbs().write(open(), -8, 1, 2));
        assertRefused(AccessCode.BOUNDS, new Verbs().cas(open(), Long.MIN_VALUE, 0, 1));
        assertRefused(AccessCode.BOUNDS, new Verbs().faa(open(), Long.MAX_VALUE - 7, 1));
        node.assertUnharmed();
    }

    @Test
    void wordsThatAreNotAlignedAreRefused() throws IOException {
        for (long offset : new long[] {1, 2, 4, 7, 9, Long.MAX_VALUE}) {
            assertRefused(AccessCode.ALIGNMENT, new Verbs().cas(open(), offset, 0, 1));
            assertRefused(AccessCode.ALIGNMENT, new Verbs().faa(open(), offset, 1));
            assertRefused(AccessCode.ALIGNMENT, new Verbs().maskedCas(open(), offset, 0, 1, 1, 1));
            assertRefused(AccessCode.ALIGNMENT, new Verbs().maskedFaa(open(), offset, 1, 0));
        }
        assertRefused(AccessCode.ALIGNMENT, new Verbs().read(open(), 0, 4));
        node.assertUnharmed();
    }

    /** The body of a WRITE or CALL has to be in the frame, so a wrong length makes the frame malformed. */
    @ParameterizedTest
    @ValueSource(longs = {-1, 9, 1L << 31, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 8})
    void bodiesThatAreNotThereAreMalformed(long length) throws IOException {
        long before = direct();
        assertMalformed(RawClient.round(0, 1, new Verbs().verb(VerbKind.WRITE, 0, 0, length, 7)));
        assertMalformed(RawClient.round(0, 1, new Verbs().verb(VerbKind.CALL, 0, length, 8, 7)));
        assertTrue(direct() - before < MAX_GROWTH, "nothing is allocated for a length that is only claimed");
        node.assertUnharmed();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1L << 31, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE})
    void roomForAReplyIsBounded(long room) throws IOException {
        assertMalformed(RawClient.round(0, 1, new Verbs().call(0, room)));
        node.assertUnharmed();
    }

    /** Many READs whose answers together would be larger than any frame. */
    @Test
    void anAnswerLongerThanAFrameIsRefused() throws IOException {
        Verbs verbs = new Verbs();
        for (int i = 0; i < 100; i++) verbs.read(0, 0, Attacked.REGION);
        assertMalformed(RawClient.round(0, 1, verbs));
        node.assertUnharmed();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1L << 47, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40})
    void regionsAndExtentsOfAbsurdSizesAreRefused(long bytes) throws IOException {
        long high = node.capabilityHigh;
        long low = node.capabilityLow;

        assertTrue(raw.control(ControlCode.CREATE_REGION, bytes).status() != 0);
        assertTrue(raw.control(ControlCode.ALLOCATE, high, low, bytes, 0).status() != 0);
        assertTrue(raw.control(ControlCode.FREE, high, low, bytes, bytes).status() != 0);
        assertTrue(raw.control(ControlCode.OPEN_LINK, bytes).status() != 0 || bytes == 0);
        node.assertUnharmed();
    }

    private static long direct() {
        long used = 0;
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class))
            if (pool.getName().equals("direct")) used += pool.getMemoryUsed();
        return used;
    }
}
