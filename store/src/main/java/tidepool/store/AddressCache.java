package tidepool.store;

import java.util.Arrays;
import tidepool.store.schema.Keys;

/**
 * Where a coordinator last saw the keys of one table. Only a hint: whoever uses an address checks the key that lies
 * there. It belongs to one coordinator and grows up to a bound; then what is new takes the places of what is old, and
 * at last it starts anew.
 *
 * <pre>
 *    a line of the processor's cache:   | key, address | key, address | key, address | key, address |
 * </pre>
 *
 * Four neighbouring keys begin their search in one line, each at its own place, so that keys that are used together are
 * found together. Who finds no room there goes on in the next lines. A place that was used is never empty again, so
 * nothing behind it is cut off, and a quarter of the places is always empty, so that every search ends soon.
 */
public final class AddressCache {
    private static final int FIRST = 1 << 10;
    private static final int IN_LINE = 4;

    /** Not an address: the key that was here is forgotten. */
    private static final long FORGOTTEN = -1;

    /** Words in front of the first line: the header of a large array ends 16 bytes into a line of the processor. */
    private static final int LEAD = 6;

    private final int most;
    private int size = FIRST;
    private long[] words = new long[LEAD + 2 * FIRST];
    private int used;

    /** @param mostEntries how many addresses are kept at the most */
    public AddressCache(int mostEntries) {
        this.most = Integer.highestOneBit(Math.max(FIRST, mostEntries * 2));
    }

    /** For how many addresses it has room now. */
    public int places() {
        return size;
    }

    /** The address, or {@link Pointer#NOWHERE}. */
    public long find(long key) {
        long address = words[place(key) + 1];
        return address == FORGOTTEN ? Pointer.NOWHERE : address;
    }

    public void put(long key, long pointer) {
        int at = place(key);
        if (words[at + 1] == Pointer.NOWHERE) at = newPlace(key, at);
        // Most are there already, as they are: a store would make the line dirty for nothing.
        if (words[at] != key) words[at] = key;
        if (words[at + 1] != pointer) words[at + 1] = pointer;
    }

    /** Forgets an address that turned out to be stale. */
    public void remove(long key) {
        int at = place(key);
        if (words[at + 1] != Pointer.NOWHERE) words[at + 1] = FORGOTTEN;
    }

    /** Where a key lies, or the empty place at which the search for it ends. */
    private int place(long key) {
        for (int line = line(key); ; line = line + 1 & size / IN_LINE - 1) {
            for (int i = 0; i < IN_LINE; i++) {
                int at = place(line, key + i);
                if (words[at] == key || words[at + 1] == Pointer.NOWHERE) return at;
            }
        }
    }

    private int line(long key) {
        return (int) Keys.hash(key >>> 2) & size / IN_LINE - 1;
    }

    private static int place(int line, long key) {
        return LEAD + 2 * (IN_LINE * line + ((int) key & IN_LINE - 1));
    }

    /** A place for a key whose search ended at an empty one. */
    private int newPlace(long key, int empty) {
        if (used < size / 2) {
            used++;
            return empty;
        }
        if (size < most) {
            grow();
            used++;
            return place(key);
        }
        if (used >= size / 4 * 3) {
            Arrays.fill(words, Pointer.NOWHERE);
            used = 0;
        }
        // Where its search begins: whoever lies there is given up.
        int first = place(line(key), key);
        if (words[first + 1] == Pointer.NOWHERE) used++;
        return first;
    }

    private void grow() {
        long[] old = words;
        size *= 2;
        used = 0;
        words = new long[LEAD + 2 * size];
        for (int at = LEAD; at < old.length; at += 2)
            if (old[at + 1] != Pointer.NOWHERE && old[at + 1] != FORGOTTEN) put(old[at], old[at + 1]);
    }
}
