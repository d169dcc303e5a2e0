package tidepool.memory;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.base.Words;

/**
 * A cache of the versions of places. The entry of a place has one of three kinds: the last version written there, the
 * transaction that is about to write there, or the transaction that asks for the version. Every entry may be missing.
 * A transaction that finds no entry reads the version at the place itself. Every writer holds the lock of its place.
 *
 * <pre>
 *    set of 64 bytes, found by a hash of the place:
 *     0      8          24         40         56     64
 *     +------+----------+----------+----------+------+        entry: { kind 2 bits | place 62 bits, id }
 *     | lock | entry 0  | entry 1  | entry 2  | turn |
 *     +------+----------+----------+----------+------+        kind: EMPTY, VERSION, ANNOUNCED, ASKED
 * </pre>
 *
 * <b>Why an entry is never stale.</b> A writer announces while it holds the lock of the place, and puts the new version
 * before it releases the lock. Between the two no reader finds an old version here. A reader that finds no entry
 * puts a mark (ASKED, with an id used once) and reads the version at the place afterwards. It replaces its mark by that
 * version only if the mark is still there. An announcement, or the mark of another reader, replaces the mark. So a
 * reader's version was read after its mark was put, and no writer has announced in between.
 *
 * <p>A set is locked briefly by a word that names its holder. If the holder died with the lock, {@link #holder} returns
 * its name. Only one strand uses an instance. Any number of instances share the memory.
 */
public final class VersionTable {
    public static final int SET_BYTES = 64;

    /** Answers of {@link #look}. */
    public static final int SAME = 0;

    public static final int CHANGED = 1;

    /** Another transaction is about to write there. */
    public static final int BUSY = 2;

    /** Nothing is known. From now on the caller is the one that asks. */
    public static final int ABSENT = 3;

    /** Another caller holds the set and does not release it: {@link #holder} names it. */
    public static final int HELD = 4;

    private static final int WAYS = 3;
    private static final long ENTRIES = 8;
    private static final long ENTRY_BYTES = 16;
    private static final long TURN = 56;
    private static final int KIND_SHIFT = 62;
    private static final long VERSION = 1;
    private static final long ANNOUNCED = 2;
    private static final long ASKED = 3;
    private static final long PLACE = (1L << KIND_SHIFT) - 1;
    private static final int MAX_SPINS = 1 << 14;

    private final MemorySegment memory;
    private final int shift;
    private final Changed changed;
    private long evictions;
    private long holder;

    /** Opens a table in zeroed memory, or an existing one. It has the largest power of two of sets that fits. */
    public VersionTable(MemorySegment memory) {
        this(memory, (at, length) -> {});
    }

    /** Called after every change, when the set is unlocked again. The lock word has changed too, for a moment. */
    @FunctionalInterface
    interface Changed {
        void changed(long at, long length);
    }

    VersionTable(MemorySegment memory, Changed changed) {
        Checks.argument(memory.byteSize() >= 2 * SET_BYTES, "a table has at least two sets");
        this.memory = memory;
        this.changed = changed;
        this.shift = Long.numberOfLeadingZeros(memory.byteSize() / SET_BYTES) + 1;
    }

    /** Called by the holder of the place's lock before it writes there. Returns false if the set is {@link #HELD}. */
    public boolean announce(long place, long id, long caller) {
        return put(place, ANNOUNCED, id, caller);
    }

    /**
     * Called by the holder of the place's lock before it releases the lock, with the version of the place from then on.
     */
    public boolean settle(long place, long version, long caller) {
        return put(place, VERSION, version, caller);
    }

    /** Returns whether a place still has the version that was seen: SAME, CHANGED, BUSY, ABSENT or HELD. */
    public int look(long place, long seen, long id, long caller) {
        long set = lock(place, caller);
        if (set < 0) return HELD;
        long entry = find(set, place);
        int answer = ABSENT;
        long kind = entry < 0 ? 0 : Words.plain(memory, entry) >>> KIND_SHIFT;
        if (kind == VERSION) answer = Words.plain(memory, entry + Words.BYTES) == seen ? SAME : CHANGED;
        else if (kind == ANNOUNCED) answer = Words.plain(memory, entry + Words.BYTES) == id ? SAME : BUSY;
        if (answer == BUSY) holder = Words.plain(memory, entry + Words.BYTES);
        if (answer == ABSENT) write(entry >= 0 ? entry : victim(set), place, ASKED, id);
        unlock(set, answer == ABSENT);
        return answer;
    }

    /** Puts a version that was sampled after {@link #look} said ABSENT, unless its mark was replaced in between. */
    public boolean fill(long place, long version, long id, long caller) {
        long set = lock(place, caller);
        if (set < 0) return false;
        long entry = find(set, place);
        boolean mine = entry >= 0
                && Words.plain(memory, entry) >>> KIND_SHIFT == ASKED
                && Words.plain(memory, entry + Words.BYTES) == id;
        if (mine) write(entry, place, VERSION, version);
        unlock(set, mine);
        return mine;
    }

    /**
     * Forgets announcements and questions whose ids equal {@code ids} in the bits of {@code mask}, and frees the sets
     * that {@code caller} held when it died. These sessions are dead and send nothing more.
     */
    public void forget(long ids, long mask, long caller) {
        for (long set = 0; set < memory.byteSize() / SET_BYTES * SET_BYTES; set += SET_BYTES) {
            boolean torn = Words.compareAndSwap(memory, set, caller, caller) == caller;
            if (!torn && !lockSet(set, caller)) continue;
            boolean any = torn;
            for (int way = 0; way < WAYS; way++) {
                long entry = set + ENTRIES + way * ENTRY_BYTES;
                boolean theirs = Words.plain(memory, entry) >>> KIND_SHIFT != VERSION
                        && (Words.plain(memory, entry + Words.BYTES) & mask) == (ids & mask);
                if (torn || theirs) Words.plain(memory, entry, 0);
                any |= theirs;
            }
            unlock(set, any);
        }
    }

    /** Returns the owner of the announcement or lock that blocked the last call. */
    public long holder() {
        return holder;
    }

    /** Returns the number of entries that were replaced by others. */
    public long evictions() {
        return evictions;
    }

    private boolean put(long place, long kind, long id, long caller) {
        long set = lock(place, caller);
        if (set < 0) return false;
        long entry = find(set, place);
        write(entry >= 0 ? entry : victim(set), place, kind, id);
        unlock(set, true);
        return true;
    }

    private void write(long entry, long place, long kind, long id) {
        Words.plain(memory, entry, kind << KIND_SHIFT | place);
        Words.plain(memory, entry + Words.BYTES, id);
    }

    private long find(long set, long place) {
        for (int way = 0; way < WAYS; way++) {
            long entry = set + ENTRIES + way * ENTRY_BYTES;
            long word = Words.plain(memory, entry);
            if ((word & PLACE) == place && word >>> KIND_SHIFT != 0) return entry;
        }
        return -1;
    }

    /** Returns an empty entry, else one in turn; an announcement only if there is nothing else. */
    private long victim(long set) {
        long turn = Words.plain(memory, set + TURN);
        Words.plain(memory, set + TURN, (turn + 1) % WAYS);
        long best = set + ENTRIES + turn * ENTRY_BYTES;
        long bestKind = Words.plain(memory, best) >>> KIND_SHIFT;
        for (int i = 1; i < WAYS && bestKind != 0; i++) {
            long entry = set + ENTRIES + (turn + i) % WAYS * ENTRY_BYTES;
            long kind = Words.plain(memory, entry) >>> KIND_SHIFT;
            if (kind != 0 && (bestKind != ANNOUNCED || kind == ANNOUNCED)) continue;
            best = entry;
            bestKind = kind;
        }
        if (bestKind != 0) evictions++;
        return best;
    }

    private long lock(long place, long caller) {
        if (place <= 0 || place > PLACE) return -1; // no valid place
        long set = (place * 0x9E37_79B9_7F4A_7C15L >>> shift) * SET_BYTES;
        return lockSet(set, caller) ? set : -1;
    }

    private boolean lockSet(long set, long caller) {
        long found = 0;
        for (int spins = 0; spins < MAX_SPINS; spins++) {
            found = Words.compareAndSwap(memory, set, 0, caller);
            if (found == 0) return true;
        }
        holder = found;
        return false;
    }

    private void unlock(long set, boolean isChanged) {
        Words.release(memory, set, 0);
        changed.changed(set, isChanged ? SET_BYTES : Words.BYTES);
    }
}
