package tidepool.stress;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.fabric.direct.MemFabric;

/**
 * The lane and the buffers of one thread in the pool that all tests of a JVM share. jcstress makes a new state for each
 * sample, so a state owns only a <em>slot</em>: {@link #SLOT_BYTES} of one large region. Slots are assigned in turn,
 * and the state's constructor zeroes its slot. There are several times as many slots as states that jcstress keeps
 * alive at once (stride size times stride count, about ten thousand).
 */
final class Port {
    /** Bytes of the largest slot. */
    static final int SLOT_BYTES = 512;

    private static final int SLOTS = 1 << 15;
    private static final Fabric POOL = new MemFabric(1);
    private static final Id128 CAPABILITY = POOL.control(0).createRegion((long) SLOTS * SLOT_BYTES);
    private static final Session SESSION = POOL.attach();
    private static final AtomicLong NEXT = new AtomicLong();
    private static final ThreadLocal<Port> HERE = ThreadLocal.withInitial(() -> new Port(SESSION));
    private static final ThreadLocal<Port> SECOND = ThreadLocal.withInitial(() -> new Port(SESSION));

    final Lane lane;
    final Region region;
    final Round round;
    final MemorySegment landing;

    /** Source of WRITEs; each test fills it before use. */
    final MemorySegment source;

    private final MemorySegment zeroes;

    private Port(Session session) {
        lane = session.lane();
        region = open(lane);
        round = lane.round(8);
        landing = lane.landing(SLOT_BYTES);
        source = lane.landing(SLOT_BYTES);
        zeroes = lane.landing(SLOT_BYTES);
    }

    /** Returns the port of the calling thread. */
    static Port here() {
        return HERE.get();
    }

    /** Returns another lane of the calling thread: nothing but acknowledgements orders the two. */
    static Port second() {
        return SECOND.get();
    }

    /** Returns the region of all slots, opened by another lane. */
    static Region open(Lane lane) {
        Link link = lane.connect(0);
        return link.open(CAPABILITY);
    }

    static Fabric pool() {
        return POOL;
    }

    static NodeControl control() {
        return POOL.control(0);
    }

    /** Returns the offset of a zeroed slot. */
    static long zeroedSlot() {
        long at = (NEXT.getAndIncrement() & (SLOTS - 1)) * SLOT_BYTES;
        Port here = here();
        here.round.write(here.region, at, SLOT_BYTES, here.zeroes, 0).post().await();
        return at;
    }

    /** Reads one word, in a round of its own. */
    long read(long at) {
        round.read(region, at, Words.BYTES, landing, 0).post().await();
        return landed(0);
    }

    /** Writes one word, in a round of its own. */
    void write(long at, long word) {
        round.write(region, at, word).post().await();
    }

    /** Returns the i-th word of the landing buffer. */
    long landed(int i) {
        return Words.plain(landing, (long) i * Words.BYTES);
    }

    /** Fills the first words of the source. */
    void fill(int words, long word) {
        for (int i = 0; i < words; i++) Words.plain(source, (long) i * Words.BYTES, word);
    }

    /**
     * Returns which of two values the words hold that landed from {@code first} on: old = 0, new = {@code fresh}, or
     * both.
     */
    String oldOrNew(int first, int words, long fresh) {
        boolean anyOld = false;
        boolean anyNew = false;
        for (int i = first; i < first + words; i++) {
            long word = landed(i);
            if (word == fresh) anyNew = true;
            else if (word == 0) anyOld = true;
            else return "torn word";
        }
        return anyOld && anyNew ? "mixed" : anyOld ? "old" : "new";
    }
}
