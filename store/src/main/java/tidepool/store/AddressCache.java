package tidepool.store;

import java.util.Arrays;
import tidepool.store.schema.Keys;

/**
 * Where a coordinator last saw the keys of one table. Only a hint: whoever uses an address checks the key that lies
 * there. It belongs to one coordinator, grows up to a bound, and starts anew when it is full.
 */
public final class AddressCache {
    private static final int FIRST = 1 << 10;

    private final int most;
    private long[] keys = new long[FIRST];
    private long[] pointers = new long[FIRST];
    private int count;

    /** @param mostEntries how many addresses are kept at the most */
    public AddressCache(int mostEntries) {
        this.most = Integer.highestOneBit(Math.max(FIRST, mostEntries * 2));
    }

    /** The address, or {@link Pointer#NOWHERE}. */
    public long find(long key) {
        return pointers[slot(key)];
    }

    public void put(long key, long pointer) {
        int at = slot(key);
        if (pointers[at] == Pointer.NOWHERE) {
            if (count >= keys.length / 2) {
                makeRoom();
                at = slot(key);
            }
            count++;
        }
        keys[at] = key;
        pointers[at] = pointer;
    }

    /** Forgets an address that turned out to be stale. */
    public void remove(long key) {
        int at = slot(key);
        if (pointers[at] == Pointer.NOWHERE) return;
        count--;
        // Entries behind the gap move up if the gap would cut them off from where their search begins.
        int mask = keys.length - 1;
        int gap = at;
        for (int i = at + 1 & mask; pointers[i] != Pointer.NOWHERE; i = i + 1 & mask) {
            int home = home(keys[i]);
            if ((i - home & mask) >= (i - gap & mask)) {
                keys[gap] = keys[i];
                pointers[gap] = pointers[i];
                gap = i;
            }
        }
        pointers[gap] = Pointer.NOWHERE;
    }

    private int slot(long key) {
        int mask = keys.length - 1;
        int at = home(key);
        while (pointers[at] != Pointer.NOWHERE && keys[at] != key) at = at + 1 & mask;
        return at;
    }

    private int home(long key) {
        return (int) Keys.hash(key) & keys.length - 1;
    }

    private void makeRoom() {
        if (keys.length >= most) {
            Arrays.fill(pointers, Pointer.NOWHERE);
            count = 0;
            return;
        }
        long[] oldKeys = keys;
        long[] oldPointers = pointers;
        keys = new long[oldKeys.length * 2];
        pointers = new long[oldKeys.length * 2];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldPointers[i] == Pointer.NOWHERE) continue;
            int at = slot(oldKeys[i]);
            keys[at] = oldKeys[i];
            pointers[at] = oldPointers[i];
        }
    }
}
