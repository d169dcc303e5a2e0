package tidepool.peers;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.GetOp;
import org.lmdbjava.Txn;
import tidepool.bench.ordered.OrderedSession;
import tidepool.bench.ordered.OrderedStore;
import tidepool.bench.ordered.OrderedStoreOptions;

/**
 * {@code lmdb} for TPC-C: one table of bytes; a transaction that writes is the single writer, others read the last
 * commit.
 */
public final class LmdbOrderedStore implements OrderedStore {
    private final LmdbFile file;

    public LmdbOrderedStore(OrderedStoreOptions options) {
        file = LmdbFile.ofBytes(options.folder(), options.bytes(), 2 * options.threads() + 2);
    }

    @Override
    public OrderedSession session() {
        return new LmdbSession(file);
    }

    @Override
    public String settings() {
        return LmdbFile.settings().replace("integer keys", "keys of bytes") + ", file in shared memory, no replicas";
    }

    @Override
    public void close() {
        file.close();
    }

    private static final class LmdbSession implements OrderedSession {
        private final LmdbFile file;
        private final Dbi<ByteBuffer> table;
        private final Txn<ByteBuffer> reader;
        private final ByteBuffer key = LmdbFile.buffer(256);
        private final ByteBuffer value = LmdbFile.buffer(4096);
        private Cursor<ByteBuffer> readCursor;
        private Txn<ByteBuffer> txn;

        LmdbSession(LmdbFile file) {
            this.file = file;
            table = file.table();
            reader = file.reader();
        }

        private ByteBuffer key(byte[] bytes) {
            return key.clear().put(bytes).flip();
        }

        @Override
        public void begin(boolean isReadOnly) {
            if (isReadOnly) reader.renew();
            txn = isReadOnly ? reader : file.env().txnWrite();
        }

        @Override
        public boolean get(byte[] of, boolean isWritten, ByteBuffer into, int at) {
            ByteBuffer found = table.get(txn, key(of));
            if (found == null) return false;
            into.put(at, found, found.position(), found.remaining());
            return true;
        }

        @Override
        public void put(byte[] of, ByteBuffer from, int at, int length) {
            value.clear().put(0, from, at, length).limit(length);
            table.put(txn, key(of), value);
        }

        @Override
        public void delete(byte[] of) {
            table.delete(txn, key(of));
        }

        @Override
        public void scan(byte[] low, byte[] high, boolean isReversed, int limit, Visitor visitor) {
            if (txn != reader) {
                try (Cursor<ByteBuffer> cursor = table.openCursor(txn)) {
                    scan(cursor, low, high, isReversed, limit, visitor);
                }
                return;
            }
            if (readCursor == null) readCursor = table.openCursor(reader);
            else readCursor.renew(reader);
            scan(readCursor, low, high, isReversed, limit, visitor);
        }

        private void scan(
                Cursor<ByteBuffer> cursor, byte[] low, byte[] high, boolean isReversed, int limit, Visitor visitor) {
            boolean isThere = cursor.get(key(isReversed ? high : low), GetOp.MDB_SET_RANGE);
            if (isReversed) isThere = isThere ? cursor.prev() : cursor.last();
            for (int i = 0; i < limit && isThere; i++) {
                ByteBuffer at = cursor.key();
                byte[] found = new byte[at.remaining()];
                at.get(at.position(), found);
                boolean isIn =
                        isReversed ? Arrays.compareUnsigned(found, low) >= 0 : Arrays.compareUnsigned(found, high) < 0;
                if (!isIn) return;
                visitor.pair(found, cursor.val());
                isThere = isReversed ? cursor.prev() : cursor.next();
            }
        }

        @Override
        public void commit() {
            if (txn == reader) reader.reset();
            else txn.commit();
            end();
        }

        @Override
        public void rollback() {
            if (txn == reader) reader.reset();
            else txn.abort();
            end();
        }

        private void end() {
            if (txn != reader) txn.close();
            txn = null;
        }
    }
}
