package tidepool.peers;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.lmdbjava.CursorIterable;
import org.lmdbjava.Txn;
import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankOptions;
import tidepool.bench.smallbank.Teller;
import tidepool.bench.smallbank.Totals;

/**
 * {@code lmdb}: serializable, because there is one writer at a time and readers see one commit. Both accounts of all
 * customers lie in one table. The file lies in shared memory like ours.
 */
public final class LmdbBank implements Bank {
    private static final int VALUE_BYTES = 2 * Long.BYTES;

    private final LmdbFile file;

    public LmdbBank(BankOptions options) {
        long keys = 2L * options.customers();
        file = new LmdbFile(options.folder(), keys, VALUE_BYTES, options.threads());
        ByteBuffer value = LmdbFile.buffer(VALUE_BYTES).putLong(0, INITIAL_CENTS);
        file.load(keys, key -> value);
    }

    @Override
    public Teller teller() {
        return new LmdbTeller(file);
    }

    @Override
    public Totals totals() {
        long cents = 0;
        long changes = 0;
        try (Txn<ByteBuffer> txn = file.env().txnRead();
                CursorIterable<ByteBuffer> all = file.table().iterate(txn)) {
            for (CursorIterable.KeyVal<ByteBuffer> each : all) {
                ByteBuffer value = each.val().order(ByteOrder.LITTLE_ENDIAN);
                cents += value.getLong(0);
                changes += value.getLong(Long.BYTES);
            }
        }
        return new Totals(cents, changes);
    }

    @Override
    public String settings() {
        return LmdbFile.settings() + ", file in shared memory, no replicas";
    }

    @Override
    public void close() {
        file.close();
    }
}
