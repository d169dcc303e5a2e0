package tidepool.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import tidepool.base.Checksum64;
import tidepool.base.Words;

/**
 * <b>A record must prove that it is whole</b>, and the pattern by which records do so is sufficient. The writer marks
 * the version word, writes the body, then the version, three WRITEs of one round (WRITE before WRITE is kept). The
 * reader READs the body, then the version, in one round (READ before READ is kept). It accepts a body whose checksum is
 * right and whose writer is the version's.
 *
 * <pre>
 *    0          8          16                  8+length-8
 *    +----------+----------+--------------------+----------+
 *    | version  |  writer  |  value…            | checksum |
 *    +----------+----------+--------------------+----------+
 * </pre>
 */
public final class WholeRecords {
    private static final long BODY = 8;
    private static final long MARKED = 1L << 63;
    private static final long SEED = 0x7ec04d;
    private static final long VALUE_OF_A_WRITER = 0x0101_0101_0101_0101L;

    private WholeRecords() {}

    /** Builds the body of one writer in the source buffer. */
    private static void build(Port here, long writer, int length) {
        here.fill(length / Words.BYTES, writer * VALUE_OF_A_WRITER);
        Words.plain(here.source, 0, writer);
        long checksumAt = (long) length - Words.BYTES;
        Words.plain(here.source, checksumAt, Checksum64.of(here.source, 0, checksumAt, SEED));
    }

    private static Slot filledSlot(int length) {
        Slot slot = new Slot();
        write(slot.at, 1, length);
        return slot;
    }

    private static void writeSecond(Slot slot, int length) {
        slot.meet();
        write(slot.at, 2, length);
    }

    private static void write(long slot, long writer, int length) {
        Port here = Port.here();
        build(here, writer, length);
        here.round
                .write(here.region, slot, MARKED | writer)
                .write(here.region, slot + BODY, length, here.source, 0)
                .write(here.region, slot, writer)
                .post()
                .await();
    }

    private static String read(Slot slot, int length, boolean heedChecksum) {
        Port here = Port.here();
        slot.meet();
        here.round
                .read(here.region, slot.at + BODY, length, here.landing, 0)
                .read(here.region, slot.at, Words.BYTES, here.landing, length)
                .post()
                .await();

        long checksumAt = (long) length - Words.BYTES;
        boolean whole = Words.plain(here.landing, checksumAt) == Checksum64.of(here.landing, 0, checksumAt, SEED);
        long writer = here.landed(0);
        long version = Words.plain(here.landing, length);
        if (heedChecksum && !whole) return "again, torn";
        if (version != writer) return version < 0 ? "again, marked" : "again, newer";
        for (int i = 1; i < checksumAt / Words.BYTES; i++) {
            if (here.landed(i) != writer * VALUE_OF_A_WRITER) return "mixed";
        }
        return writer == 1 ? "old" : "new";
    }

    /** A record of one line. */
    @JCStressTest
    @Outcome(id = "old", expect = ACCEPTABLE, desc = "accepted, before the WRITEs")
    @Outcome(id = "new", expect = ACCEPTABLE, desc = "accepted, after the WRITEs")
    @Outcome(id = "again, torn", expect = ACCEPTABLE_INTERESTING, desc = "the checksum noticed a torn body")
    @Outcome(id = "again, marked", expect = ACCEPTABLE, desc = "whole, but the version is marked")
    @Outcome(id = "again, newer", expect = ACCEPTABLE, desc = "whole and old, but the version moved on")
    @Outcome(expect = FORBIDDEN, desc = "a body of two writers was accepted")
    @State
    public static class Of64 {
        private final Slot slot = filledSlot(64);

        @Actor
        public void writer() {
            writeSecond(slot, 64);
        }

        @Actor
        public void reader(L_Result r) {
            r.r1 = read(slot, 64, true);
        }
    }

    /** A record of several lines. */
    @JCStressTest
    @Outcome(id = "old", expect = ACCEPTABLE, desc = "accepted, before the WRITEs")
    @Outcome(id = "new", expect = ACCEPTABLE, desc = "accepted, after the WRITEs")
    @Outcome(id = "again, torn", expect = ACCEPTABLE_INTERESTING, desc = "the checksum noticed a torn body")
    @Outcome(id = "again, marked", expect = ACCEPTABLE, desc = "whole, but the version is marked")
    @Outcome(id = "again, newer", expect = ACCEPTABLE, desc = "whole and old, but the version moved on")
    @Outcome(expect = FORBIDDEN, desc = "a body of two writers was accepted")
    @State
    public static class Of256 {
        private final Slot slot = filledSlot(256);

        @Actor
        public void writer() {
            writeSecond(slot, 256);
        }

        @Actor
        public void reader(L_Result r) {
            r.r1 = read(slot, 256, true);
        }
    }

    /** Shows why the checksum is needed: writer and version agree, and still the body may be of two writers. */
    @JCStressTest
    @Outcome(id = "old", expect = ACCEPTABLE, desc = "accepted, before the WRITEs")
    @Outcome(id = "new", expect = ACCEPTABLE, desc = "accepted, after the WRITEs")
    @Outcome(id = "again, marked", expect = ACCEPTABLE, desc = "the version is marked")
    @Outcome(id = "again, newer", expect = ACCEPTABLE, desc = "the version is not the body's")
    @Outcome(id = "mixed", expect = ACCEPTABLE_INTERESTING, desc = "accepted by mistake: the version alone is no proof")
    @Outcome(expect = FORBIDDEN, desc = "nothing else can come out")
    @State
    public static class WithoutChecksum {
        private final Slot slot = filledSlot(256);

        @Actor
        public void writer() {
            writeSecond(slot, 256);
        }

        @Actor
        public void reader(L_Result r) {
            r.r1 = read(slot, 256, false);
        }
    }
}
