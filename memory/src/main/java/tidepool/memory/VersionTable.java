package tidepool.memory;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.base.Words;

/**
 * Versions by place: what was written there last, who is about to write there, who is asking for it. A cache, so that
 * everything in it may be missing: whoever finds nothing asks the place itself, under whose lock every writer works.
 *
 * <pre>
 *    set of 64 bytes, found by a hash of the place:
 *     0      8          24         40         56     64
 *     +------+----------+----------+----------+------+        entry: { kind 2 bits | place 62 bits, id }
 *     | lock | entry 0  | entry 1  | entry 2  | turn |
 *     +------+----------+----------+----------+------+        kind: EMPTY, VERSION, ANNOUNCED, ASKED
 * </pre>
 *
 * <b>Why an entry is never stale.</b> A writer announces while it holds the place's lock, and puts the new version before
 * it lets go: between the two nobody finds an old version here. Whoever finds nothing leaves a mark that it asks
 * (ASKED, with an id used once), samples the place afterwards, and may put what it sampled only where its mark still
 * stands; an announcement, or anybody else's question, replaces the mark. So what is put was sampled behind the mark, and
 * no writer has come between.
 *
 * <p>Sets are locked by a word that names its holder, for a moment. A holder that died in it is named to the caller. One
 * strand uses an instance; any number of instances share the memory.
 */
public final class VersionTable {
    public static final int SET_BYTES = 64;

    /** Answers of {@link #look}. */
    public static final int SAME = 0;

    public static final int CHANGED = 1;

    /** Somebody is about to write there. */
    public static final int BUSY = 2;

    /** Nothing is known; from now on the caller is the one who asks. */
    public static final int ABSENT = 3;

    /** A set is held by somebody who does not let go: {@link #holder} says who. */
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
    private static final int MOST_SPINS = 1 << 14;

    private final MemorySegment memory;
    private final int shift;
    private final Changed changed;
    private long evictions;
    private long holder;

    /** A table in zeroed memory, or one that is there; as many sets as the largest power of two that fits. */
    public VersionTable(MemorySegment memory) {
        this(memory, (at, length) -> {});
    }

    /** Is told of every change when nobody holds the set any more; the lock too was another for a moment. */
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

    /** The caller holds the lock of the place and is about to write there. False if the set is {@link #HELD}. */
    public boolean announce(long place, long id, long caller) {
        return put(place, ANNOUNCED, id, caller);
    }

    /** The caller, who holds the lock of the place, says which version it has when the lock is let go. */
    public boolean settle(long place, long version, long caller) {
        return put(place, VERSION, version, caller);
    }

    /** Whether a place still has the version that was seen: SAME, CHANGED, BUSY, ABSENT or HELD. */
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

    /** Puts a version that was sampled after {@link #look} said ABSENT, if nobody has come between. */
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
     * Forgets what those announced and asked whose ids equal {@code ids} in the bits of {@code mask}, and frees the sets
     * that {@code caller} died in. They are gone and send nothing more.
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

    /** Whose announcement, or whose lock, stood in the way of the last call. */
    public long holder() {
        return holder;
    }

    /** How many entries made room for others. */
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

    /** An empty entry, else one in turn, an announcement only if there is nothing else. */
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
        if (place <= 0 || place > PLACE) return -1; // no place at all
        long set = (place * 0x9E37_79B9_7F4A_7C15L >>> shift) * SET_BYTES;
        return lockSet(set, caller) ? set : -1;
    }

    private boolean lockSet(long set, long caller) {
        long found = 0;
        for (int spins = 0; spins < MOST_SPINS; spins++) {
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
