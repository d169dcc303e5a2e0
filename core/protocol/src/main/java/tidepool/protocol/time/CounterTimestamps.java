package tidepool.protocol.time;

import java.lang.foreign.MemorySegment;
import tidepool.base.Strand;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.protocol.record.PoolRegions;
import tidepool.store.CatalogLayout;

/**
 * Timestamps from one word of the pool, by fetch-and-add. While requests of the session are in flight, a strand that
 * asks for a timestamp first gives all ready strands a turn. If they also ask for timestamps, they join its request,
 * and one FAA is sent for all. On a network this costs no time. On shared memory an answer arrives at once, and the
 * other strands would execute whole transactions while this one holds its locks. So a strand that has not waited for
 * its last answer asks alone.
 */
public class CounterTimestamps implements Timestamps {
    private static final int TAKEN = 0;
    private static final int SEEN = Words.BYTES;

    private final Region counter;
    private final Round round;
    private final MemorySegment words;
    private final SharedCounter shared;

    /** The request that this coordinator leads, if others join it. */
    private final TimestampBatch mine = new TimestampBatch();

    /** The joined request of another coordinator, and the place in it; or null. */
    private TimestampBatch joined;

    private int place;

    /** How many timestamps were asked for with the last request; 0 once its answer was processed. */
    private int asked;

    private long stamp;
    private long sharedRequests;

    /** Whether other strands ran while the last answer was awaited. */
    private boolean waited = true;

    /** The number of turns that this strand had when it sent its last request. */
    private long turns;

    /**
     * Whether the request is counted in {@link #shared}. In a plain thread no other strand has a turn before the
     * request is over, so it is not counted.
     */
    private boolean announced;

    public CounterTimestamps(Lane lane, PoolRegions pool) {
        this.counter = pool.catalog(0);
        this.round = lane.round(1);
        this.words = lane.landing(2 * Words.BYTES);
        this.shared = SharedCounter.of(lane.session());
    }

    @Override
    public boolean take(Round with) {
        if (join(shared.joinable())) return false;
        asked = gather();
        Strand strand = Strand.current();
        announced = strand != null;
        if (announced) {
            shared.sent();
            turns = strand.turns();
        }
        with.fetchAndAdd(counter, CatalogLayout.TIMESTAMP, asked, words, TAKEN);
        return true;
    }

    private boolean join(TimestampBatch batch) {
        joined = null;
        if (batch == null) return false;
        place = batch.join();
        if (place < 0) return false;
        joined = batch;
        sharedRequests++;
        return true;
    }

    /** Lets other coordinators join, if that costs nothing but a turn. Returns how many timestamps are wanted. */
    private int gather() {
        if (!isWorthIt(shared.isBusy()) || !mine.open()) return 1;
        if (shared.offer(mine)) {
            letOthersJoin();
            shared.withdraw(mine);
        }
        return mine.close();
    }

    /**
     * Returns whether other coordinators may join.
     *
     * @param busy whether requests of this session are in flight
     */
    protected boolean isWorthIt(boolean busy) {
        return busy && waited;
    }

    /** Gives a turn to the strands of this thread that are ready. */
    protected void letOthersJoin() {
        if (Strand.current() != null) Strand.giveWay();
    }

    @Override
    public long taken() {
        if (joined != null) {
            stamp = joined.await(place);
            if (stamp == TimestampBatch.NEVER) {
                shared.withdraw(joined); // so that no other coordinator waits for it
                stamp = alone();
            }
            joined = null;
        } else if (asked > 0) {
            stamp = Words.plain(words, TAKEN) + 1;
            waited = announced && Strand.current().turns() != turns;
            if (announced) shared.answered();
            if (asked > 1) mine.answered(stamp, asked);
            asked = 0;
        }
        shared.learn(stamp);
        return stamp;
    }

    /** Asks alone, because the leader of the joined request is gone or slow. Waits for the answer. */
    private long alone() {
        Step.STAMP
                .on(round)
                .fetchAndAdd(counter, CatalogLayout.TIMESTAMP, 1, words, TAKEN)
                .aside()
                .post()
                .await();
        return Words.plain(words, TAKEN) + 1;
    }

    @Override
    public long known() {
        return shared.known();
    }

    @Override
    public long snapshot() {
        Step.SNAPSHOT
                .on(round)
                .read(counter, CatalogLayout.TIMESTAMP, Words.BYTES, words, SEEN)
                .aside()
                .post()
                .await();
        long seen = Words.plain(words, SEEN);
        shared.learn(seen);
        return seen;
    }

    @Override
    public long sharedRequests() {
        return sharedRequests;
    }
}
