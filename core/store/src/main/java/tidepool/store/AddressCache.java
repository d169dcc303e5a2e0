package tidepool.store;

/**
 * The addresses at which a coordinator last saw the keys of one table. An address is only a hint: the coordinator
 * checks the key that lies there. A cache belongs to one coordinator.
 *
 * <p>Most records lie in the first bucket of their chain. The place of that bucket follows from the key, so only the
 * slot has to be remembered. Eight neighbouring keys share a word, so that hints in frequent use stay in the
 * processor's cache although the records themselves do not.
 *
 * <pre>
 *    key / 8  ->  | slot of key 7 | ... | slot of key 1 | slot of key 0 |     a byte each
 *    key      ->  its address, if it lies in another bucket
 * </pre>
 */
public final class AddressCache {
    private static final int UNKNOWN = 0;
    private static final int FORGOTTEN = 0xff;
    private static final int ELSEWHERE = 0xfe;

    /**
     * The number of slots that a byte can name. The byte of a slot is its number plus one, and less than the codes
     * above.
     */
    private static final int SLOTS = 0xfd;

    /** Replaces the address of a key that lay in another bucket and is forgotten. */
    private static final long NOT_ELSEWHERE = -1;

    private static final int KEYS_PER_WORD_BITS = 3;

    /** One row of eight may lie in another bucket and be remembered. Few tables have more such rows. */
    private static final int ROWS_PER_ELSEWHERE = 8;

    private final TableLayout table;
    private final HintTable slots;
    private final HintTable elsewhere;

    /** @param maxEntries the maximum number of words that are kept */
    public AddressCache(TableLayout table, int maxEntries) {
        this.table = table;
        this.slots = new HintTable(maxEntries, table.rows());
        this.elsewhere = new HintTable(maxEntries / ROWS_PER_ELSEWHERE, table.rows() / ROWS_PER_ELSEWHERE);
    }

    /** Returns for how many words there is room now. */
    public int places() {
        return slots.places() + elsewhere.places();
    }

    /** Returns the address, or {@link Pointer#NOWHERE}. */
    public long find(long key) {
        int code = code(key, slots.find(key >>> KEYS_PER_WORD_BITS));
        if (code == UNKNOWN || code == FORGOTTEN) return Pointer.NOWHERE;
        return code == ELSEWHERE ? findElsewhere(key) : table.homeSlot(key, code - 1);
    }

    /**
     * Loads what {@link #find} will look at first. A processor has several of these loads under way at once, but not
     * several searches, which are too long. Returns a number without a meaning, so that the load is not removed.
     */
    public long touch(long key) {
        return slots.touch(key >>> KEYS_PER_WORD_BITS);
    }

    private long findElsewhere(long key) {
        long address = elsewhere.find(key);
        return address == NOT_ELSEWHERE ? Pointer.NOWHERE : address;
    }

    public void put(long key, long pointer) {
        int slot = table.slotAtHome(key, pointer);
        boolean isHome = slot >= 0 && slot < SLOTS;
        if (!isHome) elsewhere.put(key, pointer);
        put(key, isHome ? slot + 1 : ELSEWHERE);
    }

    private void put(long key, int code) {
        long group = key >>> KEYS_PER_WORD_BITS;
        long word = slots.find(group);
        boolean wasSmall = !slots.hasGrown();
        slots.put(group, word & ~(0xffL << shift(key)) | (long) code << shift(key));
        if (wasSmall && slots.hasGrown()) elsewhere.grow(); // both at once: no allocation later
    }

    /** Forgets an address that turned out to be stale. */
    public void remove(long key) {
        int code = code(key, slots.find(key >>> KEYS_PER_WORD_BITS));
        if (code == UNKNOWN) return;
        if (code == ELSEWHERE) elsewhere.put(key, NOT_ELSEWHERE);
        put(key, FORGOTTEN);
    }

    private static int code(long key, long word) {
        return (int) (word >>> shift(key)) & 0xff;
    }

    private static int shift(long key) {
        return ((int) key & (1 << KEYS_PER_WORD_BITS) - 1) * Byte.SIZE;
    }
}
