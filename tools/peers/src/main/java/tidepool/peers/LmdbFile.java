package tidepool.peers;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Meta;
import org.lmdbjava.PutFlags;
import org.lmdbjava.Txn;

/**
 * LMDB with the settings of all races: one file, mapped for writing ({@code WRITEMAP}), not synced ({@code NOSYNC}),
 * pages not cleared before they are used ({@code NOMEMINIT}), keys as integers. lmdbjava's own checks of its arguments
 * are off, as its authors advise for programs that are known to be right. One writer at a time runs; write transactions
 * wait for each other. Readers see the last commit and do not wait.
 */
final class LmdbFile implements AutoCloseable {
    private static final int LOAD_BATCH = 100_000;
    private static final long MIN_MAP_BYTES = 1L << 26;
    private static final String OPENS =
            "--add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED";

    private final Env<ByteBuffer> env;
    private final Dbi<ByteBuffer> table;
    private final List<Txn<ByteBuffer>> readers = new ArrayList<>();

    /**
     * @param keys number of keys that will be written
     * @param valueBytes of each
     * @param readers highest number of concurrent readers
     */
    LmdbFile(Path folder, long keys, int valueBytes, int readers) {
        this(folder, mapBytes(keys, valueBytes), readers, DbiFlags.MDB_CREATE, DbiFlags.MDB_INTEGERKEY);
    }

    /** Returns a file with keys of bytes, with room for this number of bytes. */
    static LmdbFile ofBytes(Path folder, long bytes, int readers) {
        return new LmdbFile(folder, MIN_MAP_BYTES + 4 * bytes + 4095 & -4096, readers, DbiFlags.MDB_CREATE);
    }

    private LmdbFile(Path folder, long mapBytes, int readers, DbiFlags... flags) {
        if (System.getProperty(Env.DISABLE_CHECKS_PROP) == null) System.setProperty(Env.DISABLE_CHECKS_PROP, "true");
        try {
            env = Env.create()
                    .setMapSize(mapBytes)
                    .setMaxDbs(1)
                    .setMaxReaders(readers + 2)
                    .open(
                            folder.toFile(),
                            EnvFlags.MDB_WRITEMAP,
                            EnvFlags.MDB_NOSYNC,
                            EnvFlags.MDB_NOMEMINIT,
                            EnvFlags.MDB_NOTLS);
        } catch (LinkageError e) {
            throw new IllegalStateException(
                    "LMDB cannot be used in this JVM (" + rootOf(e).getMessage() + "); it needs its native library and "
                            + OPENS,
                    e);
        }
        table = env.openDbi("race", flags);
    }

    /**
     * Returns room for pages that are half full, and for those that a writer replaces while a reader still uses them.
     */
    static long mapBytes(long keys, int valueBytes) {
        return MIN_MAP_BYTES + 4 * keys * (valueBytes + 16L) + 4095 & -4096;
    }

    private static Throwable rootOf(Throwable e) {
        return e.getCause() == null ? e : rootOf(e.getCause());
    }

    /** Writes a value under the keys from 0 up. */
    void load(long keys, Filler filler) {
        load(keys, 0, filler);
    }

    /** Writes a value under the numbers from 0 up, shifted by some bits. */
    void load(long keys, int shift, Filler filler) {
        ByteBuffer key = buffer(Long.BYTES);
        for (long first = 0; first < keys; first += LOAD_BATCH) {
            try (Txn<ByteBuffer> txn = env.txnWrite()) {
                for (long i = first; i < Math.min(keys, first + LOAD_BATCH); i++) {
                    key.putLong(0, i << shift);
                    table.put(txn, key, filler.value(i << shift), PutFlags.MDB_APPEND);
                }
                txn.commit();
            }
        }
    }

    /** Returns the first value of a key; may return one buffer each time. */
    @FunctionalInterface
    interface Filler {
        ByteBuffer value(long key);
    }

    /** Returns memory from which LMDB can read keys and values. */
    static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    Env<ByteBuffer> env() {
        return env;
    }

    Dbi<ByteBuffer> table() {
        return table;
    }

    /** Returns a transaction for the reads of one thread, which renews and resets it. */
    synchronized Txn<ByteBuffer> reader() {
        Txn<ByteBuffer> reader = env.txnRead();
        reader.reset();
        readers.add(reader);
        return reader;
    }

    static String settings() {
        return "LMDB " + Meta.version().major + "." + Meta.version().minor + "." + Meta.version().patch
                + " by lmdbjava, WRITEMAP, NOSYNC, NOMEMINIT, integer keys, one writer at a time";
    }

    @Override
    public synchronized void close() {
        for (Txn<ByteBuffer> reader : readers) {
            reader.renew(); // close does not end a transaction that is reset
            reader.close();
        }
        env.close();
    }
}
