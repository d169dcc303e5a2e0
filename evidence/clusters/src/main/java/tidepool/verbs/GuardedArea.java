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

    private final RunContext world;
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

    GuardedArea(RunContext world, long start) {
        this.world = world;
        this.start = (start + 63) & -64;
        this.objects = new Guarded[Math.max(2, world.options.strands() / 4)];
        for (int i = 0; i < objects.length; i++) objects[i] = new Guarded(i);
    }

    long bytes() {
        return 64 + objects.length * STRIDE;
    }

    Memory memory() {
        return new Memory(objects.length);
    }

    private int node(Guarded object) {
        return object.number % world.options.nodes();
    }

    private long offset(Guarded object) {
        return start + object.number * STRIDE;
    }

    // ---- under the lock

    void turn(VerbStrand worker) {
        Guarded object = objects[worker.random.nextInt(objects.length)];
        for (int tries = 0; tries < 3; tries++) {
            if (acquire(worker, object)) return;
            Waiting.pause(1_000 + worker.random.nextInt(5_000));
        }
    }

    /** Makes one attempt; returns true if no further attempt is needed. */
    private boolean acquire(VerbStrand worker, Guarded object) {
        long me = worker.slot.session.number();
        long holder = object.holderSeen;
        boolean takesOver = holder != FREE && world.rules.mayTakeOver(world.isRevoked(holder), world.hasDied(holder));
        long expected = takesOver ? holder : FREE;
        Region region = worker.regions[node(object)];
        long at = offset(object);
        if (worker.random.nextBoolean()) worker.round.compareAndSwap(region, at, expected, me, worker.landing, 0);
        else worker.round.maskedCompareAndSwap(region, at, expected, -1, me, -1, worker.landing, 0);
        worker.round.read(region, at + PAIR, 2 * Words.BYTES, worker.landing, AT_PAIR);
        FORMAT.read(worker.round, region, at + RECORD, worker.landing, AT_RECORD);
        if (!settled(worker)) return true;
        long found = worker.landed(0);
        if (found == me && found != expected) {
            Violation.unless(world.era() > 0, "locks", "a lock names us though we do not hold it: " + where(object));
            takesOver = true; // the power failure restored the lock
        } else if (found != expected) {
            object.holderSeen = found;
            return false;
        }
        hold(worker, object, takesOver);
        return true;
    }

    private void hold(VerbStrand worker, Guarded object, boolean takenOver) {
        if (!worker.inOneEra()) {
            worker.replaceSession(); // the lock that this strand took may be lost by now
            return;
        }
        if (world.isRevoked(worker.slot.session.number())) {
            // The answer came late: this session was revoked as dead, and another may hold the lock. It writes as if it
            // held it.
            write(worker, object, worker.landed(AT_PAIR) + 1, false);
            settled(worker);
            return;
        }
        boolean oneEra = object.wholeSince == world.era();
        Violation.unless(
                object.heldBy == FREE || world.isRevoked(object.heldBy) || !oneEra,
                "locks",
                "two sessions hold the same lock: " + where(object) + " first=" + object.heldBy + " second="
                        + worker.slot.session.number());
        object.heldBy = worker.slot.session.number();
        object.holderSeen = FREE;
        long mine = ++object.acquisitions;
        long left = worker.landed(AT_PAIR);
        long right = worker.landed(AT_PAIR + Words.BYTES);
        if (!takenOver && oneEra) judge(object, worker, left, right);
        object.certain = -1;
        replace(worker, object, Math.max(left, right) + 1, mine);
    }

    private void judge(Guarded object, VerbStrand worker, long left, long right) {
        Violation.unless(
                left == right,
                "locks",
                "a holder finds the guarded words unequal: " + where(object) + " left=" + left + " right=" + right);
        Violation.unless(
                object.certain < 0 || object.certain == left,
                "locks",
                "a holder does not find what the last one left: " + where(object) + " found=" + left + " left="
                        + object.certain);
        View view = FORMAT.view(worker.landing, AT_RECORD);
        Violation.unless(
                view == View.WHOLE || (view == View.EMPTY && object.lastImage == 0),
                "records",
                "a holder finds the record " + view + ": " + where(object));
    }

    /** Writes pair and record and releases the lock, in one round or in three. */
    private void replace(VerbStrand worker, Guarded object, long value, long mine) {
        Region region = worker.regions[node(object)];
        long at = offset(object);
        boolean slowly = worker.random.nextInt(3) == 0;
        long era = world.era();
        write(worker, object, value, true);
        if (slowly) {
            if (!settled(worker) || !looksAgain(worker, object, value)) return;
        }
        // From here on another session may hold the lock at any moment.
        object.heldBy = FREE;
        boolean swaps = slowly && worker.random.nextBoolean();
        if (swaps)
            worker.round.compareAndSwap(region, at, worker.slot.session.number(), FREE, worker.landing, AT_RELEASED);
        else worker.round.write(region, at, FREE);
        if (!settled(worker)) return;
        if (swaps && worker.inOneEra())
            Violation.unless(
                    worker.landed(AT_RELEASED) == worker.slot.session.number(),
                    "locks",
                    "a holder lets go of a lock that names another: " + where(object) + " found="
                            + worker.landed(AT_RELEASED));
        if (object.acquisitions != mine) return;
        object.certain = value;
        object.wholeSince = era;
    }

    private void write(VerbStrand worker, Guarded object, long value, boolean holds) {
        Region region = worker.regions[node(object)];
        long image = holds ? ++object.lastImage : object.lastImage + 1; // an image number that no reader would accept
        FORMAT.fill(worker.source, AT_RECORD, object.number, image << STRAND_BITS | worker.slot.index);
        Words.plain(worker.source, AT_PAIR, value);
        Words.plain(worker.source, AT_PAIR + Words.BYTES, value);
        worker.round.write(region, offset(object) + PAIR, 2 * Words.BYTES, worker.source, AT_PAIR);
        FORMAT.write(worker.round, region, offset(object) + RECORD, worker.source, AT_RECORD);
    }

    private boolean looksAgain(VerbStrand worker, Guarded object, long value) {
        worker.round.read(
                worker.regions[node(object)], offset(object) + PAIR, 2 * Words.BYTES, worker.landing, AT_PAIR);
        if (!settled(worker)) return false;
        boolean same = worker.landed(AT_PAIR) == value && worker.landed(AT_PAIR + Words.BYTES) == value;
        Violation.unless(
                same || !worker.inOneEra(), "locks", "somebody wrote to what a holder guards: " + where(object));
        return true;
    }

    /**
     * Posts the round and waits for it. A failed verb may still land, so a failure replaces the session; then others
     * can take over.
     */
    private boolean settled(VerbStrand worker) {
        boolean done = worker.done();
        worker.slot.heed();
        if (!done) worker.replaceSession();
        return done;
    }

    // ---- without the lock

    /** Reads a record, and accepts it if it proves that it is whole. */
    void look(VerbStrand worker) {
        Guarded object = objects[worker.random.nextInt(objects.length)];
        FORMAT.read(worker.round, worker.regions[node(object)], offset(object) + RECORD, worker.landing, AT_RECORD);
        boolean done = worker.done();
        worker.slot.heed();
        if (done && world.rules.accepts(FORMAT.view(worker.landing, AT_RECORD))) accepted(worker, object);
        if (!done) worker.mend();
    }

    private void accepted(VerbStrand worker, Guarded object) {
        long writer = worker.landed(AT_RECORD + ReferenceRecord.WRITER);
        long image = writer >>> STRAND_BITS;
        boolean written = worker.landed(AT_RECORD + ReferenceRecord.KEY) == object.number
                && image > 0
                && image <= object.lastImage;
        for (int i = 0; i < FORMAT.words(); i++)
            written &= worker.landed(AT_RECORD + ReferenceRecord.VALUE + (long) i * Words.BYTES)
                    == ReferenceRecord.value(writer, i);
        Violation.unless(
                written, "records", "a reader accepts what nobody wrote: " + where(object) + " writer=" + writer);
        Memory memory = worker.memory;
        long seen = memory.era[object.number] == world.era() ? memory.image[object.number] : 0;
        boolean oneEra = worker.inOneEra();
        Violation.unless(
                image >= seen || !oneEra,
                "records",
                "a reader sees an older image than before: " + where(object) + " image=" + image + " before=" + seen);
        memory.era[object.number] = world.era();
        memory.image[object.number] = oneEra ? image : 0;
    }

    private String where(Guarded object) {
        return "target=m" + node(object) + "/r0+0x" + Long.toHexString(offset(object));
    }

    void checkEnd() {
        if (world.era() > 0) return; // lines that the power failure undid may have any value that was written once
        for (Guarded object : objects) {
            long at = offset(object);
            long lock = world.word(node(object), at);
            Violation.unless(
                    lock == FREE || world.isRevoked(lock),
                    "locks",
                    "at the end a lock names a session that was never revoked: " + where(object) + " lock=" + lock);
            long left = world.word(node(object), at + PAIR);
            long right = world.word(node(object), at + PAIR + Words.BYTES);
            if (lock == FREE)
                Violation.unless(left == right, "locks", "at the end the guarded words differ: " + where(object));
        }
    }
}
