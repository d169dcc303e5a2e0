package tidepool.peers;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.lmdbjava.Txn;

/** SmallBank as write transactions of LMDB, of which one runs at a time. Balances are read from the last commit. */
final class LmdbTeller extends AccountTeller<RuntimeException> {
    private final LmdbFile file;
    private final Txn<ByteBuffer> reader;
    private final ByteBuffer[] keys = new ByteBuffer[MAX_ACCOUNTS];
    private final ByteBuffer value = LmdbFile.buffer(2 * Long.BYTES);
    private final long[] cents = new long[MAX_ACCOUNTS];
    private final long[] changes = new long[MAX_ACCOUNTS];
    private Txn<ByteBuffer> txn;

    LmdbTeller(LmdbFile file) {
        this.file = file;
        this.reader = file.reader();
        for (int i = 0; i < MAX_ACCOUNTS; i++) keys[i] = LmdbFile.buffer(Long.BYTES);
    }

    @Override
    long transact(Body<RuntimeException> body) {
        try (Txn<ByteBuffer> writer = file.env().txnWrite()) {
            txn = writer;
            long result = body.run();
            if (result == ROLLED_BACK) writer.abort();
            else writer.commit();
            return result;
        }
    }

    @Override
    long view(Body<RuntimeException> body) {
        txn = reader;
        reader.renew();
        try {
            return body.run();
        } finally {
            reader.reset();
        }
    }

    @Override
    void read(int slot, long key) {
        keys[slot].putLong(0, key);
        ByteBuffer found = file.table().get(txn, keys[slot]).order(ByteOrder.LITTLE_ENDIAN);
        cents[slot] = found.getLong(0);
        changes[slot] = found.getLong(Long.BYTES);
    }

    @Override
    long cents(int slot) {
        return cents[slot];
    }

    @Override
    void add(int slot, long more) {
        value.putLong(0, cents[slot] + more);
        value.putLong(Long.BYTES, changes[slot] + 1);
        file.table().put(txn, keys[slot], value);
    }
}
