package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.schema.Key;
import tidepool.store.StoreException;
import tidepool.testkit.ChildProcess;

/**
 * A process is stopped while it writes into a table that another process drops, and wakes when there is another table
 * in the same place. It must never write into that one.
 */
@Tag("process")
class StoppedProcessTest {
    private static final long KEYS = 200;

    public record Row(@Key long id, long value) {}

    /** A row with other offsets, in the entry and memory of the dropped table. */
    public record Other(@Key long id, long a, long b, long c) {}

    @TempDir
    Path folder;

    /** Writes rows until its handle is refused, and says why. */
    static final class Writer {
        public static void main(String[] arguments) {
            try (Tidepool pool = Tidepool.open(arguments[0])) {
                Table<Row> table = pool.table("table", Row.class);
                for (long i = 0; ; i++) {
                    long key = i % KEYS;
                    pool.transact(tx -> table.put(tx, new Row(key, 77)));
                    if (i == KEYS) System.out.println("writing");
                }
            } catch (StoreException e) {
                System.out.println(e.reason() + ": " + e.getMessage());
            }
        }
    }

    /** A node fences the process. Its frames of before are dropped, and it finds its session revoked. */
    @Test
    void stoppedClientOfANodeIsFencedAndWakesToARefusal() {
        try (MemoryServer server = MemoryServer.start(
                NodeOptions.onLoopback("memory-0", 0, 64 << 20).withLease(Duration.ofHours(1), Duration.ofHours(1)))) {
            String url = "tcp://127.0.0.1:" + server.address().getPort() + "/bank?replicas=1&memory=4m";
            try (Tidepool pool = Tidepool.open(url);
                    ChildProcess writer = writer(url)) {
                stop(writer);
                pool.drop("table");
                Table<Other> other = other(pool);
                writer.signal("CONT");
                assertEquals("UNKNOWN_TABLE: table table was dropped", writer.line());
                assertUntouched(pool, other);
            }
        }
    }

    /** A living process on shared memory cannot be fenced. So the change is given up, and has not happened. */
    @Test
    void dropOnSharedMemoryIsGivenUpWhileAProcessIsStopped() {
        String url = "shm:" + folder.resolve("bank") + "?memory=4m";
        try (Tidepool pool = Tidepool.open(url);
                ChildProcess writer = writer(url)) {
            stop(writer);
            StoreException busy = assertThrows(StoreException.class, () -> pool.drop("table"));
            assertEquals(StoreException.Reason.BUSY, busy.reason());
            assertTrue(busy.getMessage().startsWith("dropping table table was given up"), busy.getMessage());
            assertEquals(KEYS, pool.size("table").rows(), "nothing has happened");
            writer.signal("CONT");
            drop(pool);
            Table<Other> other = other(pool);
            assertEquals("UNKNOWN_TABLE: table table was dropped", writer.line());
            assertUntouched(pool, other);
        }
    }

    /** A process that has just been woken may need more time than a change waits. */
    private static void drop(Tidepool pool) {
        for (int tries = 0; ; tries++) {
            try {
                pool.drop("table");
                return;
            } catch (StoreException e) {
                if (e.reason() != StoreException.Reason.BUSY || tries == 20) throw e;
            }
        }
    }

    private static ChildProcess writer(String url) {
        ChildProcess writer = ChildProcess.jvm(List.of(), Writer.class, url).start();
        assertEquals("writing", writer.line());
        return writer;
    }

    private static void stop(ChildProcess writer) {
        writer.signal("STOP");
    }

    private static Table<Other> other(Tidepool pool) {
        Table<Other> other = pool.table("other", Other.class);
        pool.transact(tx -> {
            for (long key = 0; key < KEYS; key += 2) other.put(tx, new Other(key, key, ~key, 5));
        });
        return other;
    }

    private static void assertUntouched(Tidepool pool, Table<Other> other) {
        assertEquals(
                KEYS / 2,
                other.stream()
                        .filter(row -> row.equals(new Other(row.id(), row.id(), ~row.id(), 5)))
                        .count());
        assertEquals(KEYS / 2, pool.size("other").rows());
    }
}
