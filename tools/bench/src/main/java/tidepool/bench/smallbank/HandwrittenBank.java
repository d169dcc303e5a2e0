package tidepool.bench.smallbank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import tidepool.base.Words;
import tidepool.store.ObjectLayout;

/**
 * {@code hand}: the verbs of FORD, handwritten on two mapped files, a primary and a backup, with the objects, undo log
 * and checksums of Tidepool. It leaves out the engine around them: no index (the number of an account is its place), no
 * rounds, no sessions, no bounds but those of the JVM, no counters, no recovery. It is the upper limit of Tidepool on
 * this machine.
 *
 * <pre>
 *    each file:   0      64                                             logs
 *                 +------+---------+---------+--    --+---------+--    --+------------------+--    --+
 *                 |      | savings | savings |        | check-  |        | thread 0:        |        |
 *                 |      | of 0    | of 1    |        | ing of 0|        | intents, 2 slots |        |
 *                 +------+---------+---------+--    --+---------+--    --+------------------+--    --+
 * </pre>
 */
public final class HandwrittenBank implements Bank {
    static final long OBJECT_BYTES = ObjectLayout.bytes(2 * Words.BYTES);
    static final long BODY_BYTES = ObjectLayout.bodyBytes(2 * Words.BYTES);

    private static final long LOG_BYTES = 4096;

    private final int customers;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment primary;
    private final MemorySegment backup;
    private final AtomicInteger tellers = new AtomicInteger();

    public HandwrittenBank(BankOptions options) {
        customers = options.customers();
        long bytes = logOf(options.threads());
        primary = map(options.folder().resolve("primary"), bytes);
        backup = map(options.folder().resolve("backup"), bytes);
        for (long place = 0; place < 2L * customers; place++) {
            long at = OBJECT_BYTES * (1 + place);
            Words.plain(primary, at + ObjectLayout.CONTENT, INITIAL_CENTS);
            long flags = ObjectLayout.flags(1, true);
            ObjectLayout.seal(primary, at + ObjectLayout.BODY, BODY_BYTES, place, flags, HandwrittenTeller.LOADER);
            Words.plain(primary, at + ObjectLayout.VERSION, HandwrittenTeller.LOADER);
        }
        MemorySegment.copy(primary, 0, backup, 0, bytes);
    }

    private MemorySegment map(Path file, long bytes) {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
        } catch (IOException e) {
            throw new UncheckedIOException("no file for the accounts: " + e.getMessage(), e);
        }
    }

    long savings(int customer) {
        return OBJECT_BYTES * (1L + customer);
    }

    long checking(int customer) {
        return OBJECT_BYTES * (1L + customers + customer);
    }

    private long logOf(int thread) {
        return OBJECT_BYTES * (1 + 2L * customers) + thread * LOG_BYTES;
    }

    @Override
    public Teller teller() {
        int number = tellers.getAndIncrement();
        return new HandwrittenTeller(this, primary, backup, logOf(number), number + 1, arena);
    }

    /** Adds up both copies, which have to agree. */
    @Override
    public Totals totals() {
        Totals sum = new Totals(0, 0);
        for (long at = OBJECT_BYTES; at < logOf(0); at += OBJECT_BYTES) {
            if (primary.asSlice(at, OBJECT_BYTES).mismatch(backup.asSlice(at, OBJECT_BYTES)) >= 0)
                throw new IllegalStateException("the copies differ at offset " + at);
            sum = sum.plus(
                    Words.plain(primary, at + ObjectLayout.CONTENT),
                    Words.plain(primary, at + ObjectLayout.CONTENT + Words.BYTES));
        }
        return sum;
    }

    @Override
    public String settings() {
        return "FORD's verbs by hand on two mapped files: undo logs and checksums, no index, no engine";
    }

    @Override
    public void close() {
        arena.close();
    }
}
