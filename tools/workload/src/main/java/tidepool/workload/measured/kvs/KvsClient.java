package tidepool.workload.measured.kvs;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import tidepool.schema.EightByteKeys;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;
import tidepool.workload.measured.BookClient;
import tidepool.workload.measured.StampedBytes;

/** A client that reads counts and increments them. */
final class KvsClient extends BookClient {
    /** Up to this number of objects, a search for a key is linear. */
    private static final int FEW = 64;

    private static final int EMPTY = -1;

    private final Kvs kvs;
    private final TableLayout table;
    private final long[] key;
    private final boolean[] writes;
    private final int[] access;

    /** The numbers of the drawn keys by the hash of the key, in open addressing; empty if there are few. */
    private final int[] drawnByHash;

    KvsClient(Kvs kvs, TableLayout table, int number, long seed) {
        super(kvs.books().size(), number, seed);
        this.kvs = kvs;
        this.table = table;
        key = new long[kvs.objects];
        writes = new boolean[kvs.objects];
        access = new int[kvs.objects];
        drawnByHash = new int[kvs.objects <= FEW ? 0 : Integer.highestOneBit(kvs.objects) * 4];
    }

    @Override
    public int draw() {
        int writing = 0;
        Arrays.fill(drawnByHash, EMPTY);
        for (int i = 0; i < key.length; i++) {
            do key[i] = kvs.keys.draw(random);
            while (drawnBefore(i));
            writes[i] = random.nextInt(100) < kvs.writes;
            if (writes[i]) writing++;
        }
        return writing == 0 ? Kvs.READ_ONLY : writing == key.length ? Kvs.WRITE_ONLY : Kvs.MIXED;
    }

    private boolean drawnBefore(int drawn) {
        if (drawnByHash.length > 0) return isInHash(drawn);
        for (int i = 0; i < drawn; i++) if (key[i] == key[drawn]) return true;
        return false;
    }

    /** Returns whether the key of a draw is there from before; otherwise it is from here on. */
    private boolean isInHash(int drawn) {
        int mask = drawnByHash.length - 1;
        int at = (int) EightByteKeys.hash(key[drawn]) & mask;
        for (; drawnByHash[at] != EMPTY; at = at + 1 & mask) if (key[drawnByHash[at]] == key[drawn]) return true;
        drawnByHash[at] = drawn;
        return false;
    }

    @Override
    protected boolean attempt(Txn txn) {
        for (int i = 0; i < key.length; i++)
            access[i] = writes[i] ? txn.update(table, key[i]) : txn.read(table, key[i]);
        if (!txn.execute()) return false;
        for (int i = 0; i < key.length; i++) use(txn, i);
        return true;
    }

    private void use(Txn txn, int i) {
        note(writes[i] ? Kvs.WRITES : Kvs.READS, 1);
        if (!txn.found(access[i])) {
            note(Kvs.WRONG, 1);
            return;
        }
        MemorySegment memory = txn.memory();
        long at = txn.value(access[i]);
        if (!StampedBytes.endsMatch(memory, at, kvs.value, key[i])) note(Kvs.WRONG, 1);
        if (writes[i]) StampedBytes.write(memory, at, kvs.value, key[i], StampedBytes.count(memory, at, kvs.value) + 1);
    }
}
