package tidepool.protocol.motor;

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
 * Timestamps from one word of the pool, by fetch-and-add. Where requests of the session are under way, a strand that asks lets
 * those run first that are ready; who of them asks as well joins it, and one FAA is sent for all. It costs no time on the
 * network. On shared memory an answer is there at once, and those who run first would do whole transactions while we hold our
 * locks: who has not waited for its last answer asks for itself.
 */
public class CounterTimestamps implements Timestamps {
    private static final int TAKEN = 0;
    private static final int SEEN = Words.BYTES;

    private final Region counter;
    private final Round round;
    private final MemorySegment words;
    private final SharedCounter shared;

    /** The request that this coordinator leads, if others join it. */
    private final SharedRequest mine = new SharedRequest();

    /** The request of somebody else that was joined, and the place in it; or null. */
    private SharedRequest joined;

    private int place;

    /** How many timestamps were asked for with the last request; 0 when its answer was looked at. */
    private int asked;

    private long stamp;
    private long sharedRequests;

    /** Whether others ran while the last answer was awaited; and how many turns this strand had had before. */
    private boolean waited = true;

    private long turns;

    /** Whether others know of the request. In a plain thread nobody else has a turn before it is over: it is not worth a word. */
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

    private boolean join(SharedRequest request) {
        joined = null;
        if (request == null) return false;
        place = request.join();
        if (place < 0) return false;
        joined = request;
        sharedRequests++;
        return true;
    }

    /** Lets others join, as long as that costs nothing but a turn. How many timestamps are wanted. */
    private int gather() {
        if (!isWorthIt(shared.isBusy()) || !mine.open()) return 1;
        if (shared.offer(mine)) {
            letOthersJoin();
            shared.withdraw(mine);
        }
        return mine.close();
    }

    /**
     * Whether others are let in.
     *
     * @param busy whether requests of this session are under way
     */
    protected boolean isWorthIt(boolean busy) {
        return busy && waited;
    }

    /** Those who are ready on this thread have their turn. */
    protected void letOthersJoin() {
        if (Strand.current() != null) Strand.giveWay();
    }

    @Override
    public long taken() {
        if (joined != null) {
            stamp = joined.await(place);
            if (stamp == SharedRequest.NEVER) {
                shared.withdraw(joined); // so that nobody else waits for it
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

    /** Whoever led the request is gone, or slow. Waits. */
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
