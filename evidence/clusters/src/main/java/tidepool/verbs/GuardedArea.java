package tidepool.verbs;

import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.sim.ReferenceRecord;
import tidepool.sim.ReferenceRecord.View;

/**
 * Objects protected by a lock word that contains its owner's session. The holder of the lock finds two plain words
 * equal and leaves them equal. It writes a {@link ReferenceRecord} that others read without the lock. The lock of a
 * dead owner is taken over only once its session is revoked everywhere; then the new holder writes everything anew that
 * the dead one may have left half-done.
 *
 * <pre>
 *    0        64       72                 128
 *    +--------+--------+--------+--   --+--------------------+
 *    |  lock  |  left  | right  |       |  reference record  |
 *    +--------+--------+--------+--   --+--------------------+
 * </pre>
 */
final class GuardedArea {
    private static final long PAIR = 64;
    private static final long RECORD = 128;
    private static final long STRIDE = 512;
    private static final long FREE = 0;
    private static final int STRAND_BITS = 16;

    private static final ReferenceRecord FORMAT = new ReferenceRecord(14);

    /** Offsets in the landing buffer: the lock found (at 0), the pair, the record. */
    private static final long AT_PAIR = 64;

    private static final long AT_RECORD = 128;
    private static final long AT_RELEASED = 1024;

    private final RunContext context;
    private final long start;
    private final Guarded[] objects;

    private static final class Guarded {
        final int number;
        long heldBy = FREE;
        long holderSeen = FREE;
        long acquisitions;

        /**
         * The value of both words if the last holder's release was acknowledged and no session locked after it; else
         * -1.
         */
        long certain = 0;

        /** Number of power failures when pair and record were last known to be whole. */
        long wholeSince;

        /** The number of the last image that a strand began to write. */
        long lastImage;

        Guarded(int number) {
            this.number = number;
        }
    }

    /** The last image that a reader has seen of each record, and in which era. */
    static final class Memory {
        final long[] image;
        final long[] era;

        Memory(int objects) {
            image = new long[objects];
            era = new long[objects];
        }
    }

    GuardedArea(RunContext context, long start) {
        this.context = context;
        this.start = (start + 63) & -64;
        this.objects = new Guarded[Math.max(2, context.options.strands() / 4)];
        for (int i = 0; i < objects.length; i++) objects[i] = new Guarded(i);
    }

    long bytes() {
        return 64 + objects.length * STRIDE;
    }

    Memory memory() {
        return new Memory(objects.length);
    }

    private int node(Guarded object) {
        return object.number % context.options.nodes();
    }

    private long offset(Guarded object) {
        return start + object.number * STRIDE;
    }

    // ---- under the lock

    void turn(VerbStrand strand) {
        Guarded object = objects[strand.random.nextInt(objects.length)];
        for (int tries = 0; tries < 3; tries++) {
            if (acquire(strand, object)) return;
            Waiting.pause(1_000 + strand.random.nextInt(5_000));
        }
    }

    /** Makes one attempt; returns true if no further attempt is needed. */
    private boolean acquire(VerbStrand strand, Guarded object) {
        long me = strand.slot.session.number();
        long holder = object.holderSeen;
        boolean takesOver =
                holder != FREE && context.rules.mayTakeOver(context.isRevoked(holder), context.hasDied(holder));
        long expected = takesOver ? holder : FREE;
        Region region = strand.regions[node(object)];
        long at = offset(object);
        if (strand.random.nextBoolean()) strand.round.compareAndSwap(region, at, expected, me, strand.landing, 0);
        else strand.round.maskedCompareAndSwap(region, at, expected, -1, me, -1, strand.landing, 0);
        strand.round.read(region, at + PAIR, 2 * Words.BYTES, strand.landing, AT_PAIR);
        FORMAT.read(strand.round, region, at + RECORD, strand.landing, AT_RECORD);
        if (!settled(strand)) return true;
        long found = strand.landed(0);
        if (found == me && found != expected) {
            Violation.unless(context.era() > 0, "locks", "a lock names us though we do not hold it: " + where(object));
            takesOver = true; // the power failure restored the lock
        } else if (found != expected) {
            object.holderSeen = found;
            return false;
        }
        hold(strand, object, takesOver);
        return true;
    }

    private void hold(VerbStrand strand, Guarded object, boolean takenOver) {
        if (!strand.inOneEra()) {
            strand.replaceSession(); // the lock that this strand took may be lost by now
            return;
        }
        if (context.isRevoked(strand.slot.session.number())) {
            // The answer came late: this session was revoked as dead, and another may hold the lock. It writes as if it
            // held it.
            write(strand, object, strand.landed(AT_PAIR) + 1, false);
            settled(strand);
            return;
        }
        boolean oneEra = object.wholeSince == context.era();
        Violation.unless(
                object.heldBy == FREE || context.isRevoked(object.heldBy) || !oneEra,
                "locks",
                "two sessions hold the same lock: " + where(object) + " first=" + object.heldBy + " second="
                        + strand.slot.session.number());
        object.heldBy = strand.slot.session.number();
        object.holderSeen = FREE;
        long mine = ++object.acquisitions;
        long left = strand.landed(AT_PAIR);
        long right = strand.landed(AT_PAIR + Words.BYTES);
        if (!takenOver && oneEra) judge(object, strand, left, right);
        object.certain = -1;
        replace(strand, object, Math.max(left, right) + 1, mine);
    }

    private void judge(Guarded object, VerbStrand strand, long left, long right) {
        Violation.unless(
                left == right,
                "locks",
                "a holder finds the guarded words unequal: " + where(object) + " left=" + left + " right=" + right);
        Violation.unless(
                object.certain < 0 || object.certain == left,
                "locks",
                "a holder does not find what the last one left: " + where(object) + " found=" + left + " left="
                        + object.certain);
        View view = FORMAT.view(strand.landing, AT_RECORD);
        Violation.unless(
                view == View.WHOLE || (view == View.EMPTY && object.lastImage == 0),
                "records",
                "a holder finds the record " + view + ": " + where(object));
    }

    /** Writes pair and record and releases the lock, in one round or in three. */
    private void replace(VerbStrand strand, Guarded object, long value, long mine) {
        Region region = strand.regions[node(object)];
        long at = offset(object);
        boolean slowly = strand.random.nextInt(3) == 0;
        long era = context.era();
        write(strand, object, value, true);
        if (slowly) {
            if (!settled(strand) || !looksAgain(strand, object, value)) return;
        }
        // From here on another session may hold the lock at any moment.
        object.heldBy = FREE;
        boolean swaps = slowly && strand.random.nextBoolean();
        if (swaps)
            strand.round.compareAndSwap(region, at, strand.slot.session.number(), FREE, strand.landing, AT_RELEASED);
        else strand.round.write(region, at, FREE);
        if (!settled(strand)) return;
        if (swaps && strand.inOneEra())
            Violation.unless(
                    strand.landed(AT_RELEASED) == strand.slot.session.number(),
                    "locks",
                    "a holder lets go of a lock that names another: " + where(object) + " found="
                            + strand.landed(AT_RELEASED));
        if (object.acquisitions != mine) return;
        object.certain = value;
        object.wholeSince = era;
    }

    private void write(VerbStrand strand, Guarded object, long value, boolean holds) {
        Region region = strand.regions[node(object)];
        long image = holds ? ++object.lastImage : object.lastImage + 1; // an image number that no reader would accept
        FORMAT.fill(strand.source, AT_RECORD, object.number, image << STRAND_BITS | strand.slot.index);
        Words.plain(strand.source, AT_PAIR, value);
        Words.plain(strand.source, AT_PAIR + Words.BYTES, value);
        strand.round.write(region, offset(object) + PAIR, 2 * Words.BYTES, strand.source, AT_PAIR);
        FORMAT.write(strand.round, region, offset(object) + RECORD, strand.source, AT_RECORD);
    }

    private boolean looksAgain(VerbStrand strand, Guarded object, long value) {
        strand.round.read(
                strand.regions[node(object)], offset(object) + PAIR, 2 * Words.BYTES, strand.landing, AT_PAIR);
        if (!settled(strand)) return false;
        boolean same = strand.landed(AT_PAIR) == value && strand.landed(AT_PAIR + Words.BYTES) == value;
        Violation.unless(
                same || !strand.inOneEra(), "locks", "somebody wrote to what a holder guards: " + where(object));
        return true;
    }

    /**
     * Posts the round and waits for it. A failed verb may still land, so a failure replaces the session; then others
     * can take over.
     */
    private boolean settled(VerbStrand strand) {
        boolean done = strand.done();
        strand.slot.heed();
        if (!done) strand.replaceSession();
        return done;
    }

    // ---- without the lock

    /** Reads a record, and accepts it if it proves that it is whole. */
    void look(VerbStrand strand) {
        Guarded object = objects[strand.random.nextInt(objects.length)];
        FORMAT.read(strand.round, strand.regions[node(object)], offset(object) + RECORD, strand.landing, AT_RECORD);
        boolean done = strand.done();
        strand.slot.heed();
        if (done && context.rules.accepts(FORMAT.view(strand.landing, AT_RECORD))) accepted(strand, object);
        if (!done) strand.mend();
    }

    private void accepted(VerbStrand strand, Guarded object) {
        long writer = strand.landed(AT_RECORD + ReferenceRecord.WRITER);
        long image = writer >>> STRAND_BITS;
        boolean written = strand.landed(AT_RECORD + ReferenceRecord.KEY) == object.number
                && image > 0
                && image <= object.lastImage;
        for (int i = 0; i < FORMAT.words(); i++)
            written &= strand.landed(AT_RECORD + ReferenceRecord.VALUE + (long) i * Words.BYTES)
                    == ReferenceRecord.value(writer, i);
        Violation.unless(
                written, "records", "a reader accepts what nobody wrote: " + where(object) + " writer=" + writer);
        Memory memory = strand.memory;
        long seen = memory.era[object.number] == context.era() ? memory.image[object.number] : 0;
        boolean oneEra = strand.inOneEra();
        Violation.unless(
                image >= seen || !oneEra,
                "records",
                "a reader sees an older image than before: " + where(object) + " image=" + image + " before=" + seen);
        memory.era[object.number] = context.era();
        memory.image[object.number] = oneEra ? image : 0;
    }

    private String where(Guarded object) {
        return "target=m" + node(object) + "/r0+0x" + Long.toHexString(offset(object));
    }

    void checkEnd() {
        if (context.era() > 0) return; // lines that the power failure undid may have any value that was written once
        for (Guarded object : objects) {
            long at = offset(object);
            long lock = context.word(node(object), at);
            Violation.unless(
                    lock == FREE || context.isRevoked(lock),
                    "locks",
                    "at the end a lock names a session that was never revoked: " + where(object) + " lock=" + lock);
            long left = context.word(node(object), at + PAIR);
            long right = context.word(node(object), at + PAIR + Words.BYTES);
            if (lock == FREE)
                Violation.unless(left == right, "locks", "at the end the guarded words differ: " + where(object));
        }
    }
}
