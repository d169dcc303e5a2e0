package tidepool.peers;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.lmdbjava.Cursor;
import org.lmdbjava.GetOp;
import org.lmdbjava.Txn;
import tidepool.bench.ycsb.Clerk;
import tidepool.bench.ycsb.KeyStore;
import tidepool.bench.ycsb.KeyStoreOptions;
import tidepool.bench.ycsb.RangeClerk;
import tidepool.bench.ycsb.Stamp;

/** {@code lmdb}: each read is a transaction on the last commit, each update is one of the single writer. */
public final class LmdbKeyStore implements KeyStore {
    private final LmdbFile file;
    private final int valueBytes;

    public LmdbKeyStore(KeyStoreOptions options) {
        valueBytes = options.valueBytes();
        // The contract's threads open a clerk each, and so does the check of the store afterwards.
        file = new LmdbFile(options.folder(), options.records() + options.inserts(), valueBytes, 2 * options.threads());
        byte[] bytes = new byte[valueBytes];
        ByteBuffer value = LmdbFile.buffer(valueBytes);
        file.load(options.records(), options.keyShift(), key -> {
            Stamp.write(bytes, key, 0);
            return value.put(0, bytes);
        });
    }

    @Override
    public Clerk clerk() {
        return new LmdbClerk(file, valueBytes);
    }

    @Override
    public String settings() {
        return LmdbFile.settings() + ", file in shared memory, no replicas";
    }

    @Override
    public void close() {
        file.close();
    }

    private static final class LmdbClerk implements RangeClerk {
        private final LmdbFile file;
        private final Txn<ByteBuffer> reader;
        private final ByteBuffer bytes = LmdbFile.buffer(Long.BYTES);
        private final ByteBuffer buffer;
        private Cursor<ByteBuffer> cursor;

        LmdbClerk(LmdbFile file, int valueBytes) {
            this.file = file;
            reader = file.reader();
            buffer = LmdbFile.buffer(valueBytes);
        }

        @Override
        public void insert(long key, byte[] value) {
            update(key, value);
        }

        /** Reads records where they lie, by a cursor that is kept. */
        @Override
        public void scan(long from, int limit, Visitor visitor) {
            bytes.putLong(0, from);
            reader.renew();
            try {
                if (cursor == null) cursor = file.table().openCursor(reader);
                else cursor.renew(reader);
                boolean isThere = cursor.get(bytes, GetOp.MDB_SET_RANGE);
                for (int i = 0; i < limit && isThere; i++, isThere = cursor.next())
                    visitor.record(cursor.key().order(ByteOrder.LITTLE_ENDIAN).getLong(0), cursor.val());
            } finally {
                reader.reset();
            }
        }

        @Override
        public boolean read(long key, byte[] into) {
            bytes.putLong(0, key);
            reader.renew();
            try {
                ByteBuffer found = file.table().get(reader, bytes);
                if (found == null) return false;
                found.get(0, into, 0, found.remaining());
                return true;
            } finally {
                reader.reset();
            }
        }

        @Override
        public void update(long key, byte[] value) {
            bytes.putLong(0, key);
            buffer.put(0, value);
            try (Txn<ByteBuffer> writer = file.env().txnWrite()) {
                file.table().put(writer, bytes, buffer);
                writer.commit();
            }
        }

        @Override
        public long aborts() {
            return 0;
        }
    }
}
