package tidepool.protocol.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.store.Catalog;
import tidepool.store.LogHeapLayout;
import tidepool.store.LogLayout;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.TxnId;

/**
 * Tests of logs on two nodes. A word in place of one log says that its transaction is over, though another log is
 * whole.
 */
class LogScanTest {
    private static final long SLOT_BYTES = 4096;
    private static final LogHeapLayout NO_HEAP = new LogHeapLayout(0, 0);
    private static final int COORDINATORS = 11;
    private static final int COORDINATOR = 3;
    private static final int SLOT = 1;
    private static final long TXN = TxnId.of(7, 40);

    private final Fabric fabric = Fabric.open("mem:?nodes=2");
    private final Session session = fabric.attach();
    private final Lane lane = session.lane();
    private final PoolRegions pool = new PoolRegions(
            lane,
            Catalog.open(fabric, session, new PoolOptions("ford", 2, 2, 1 << 16, COORDINATORS, (int) SLOT_BYTES)));
    private final Round round = lane.round(1);

    @AfterEach
    void close() {
        fabric.close();
    }

    private void write(int node, long first) {
        write(node, COORDINATOR, SLOT, TXN, first);
    }

    private void write(int node, int coordinator, int slot, long txn, long first) {
        long bytes = LogLayout.ENTRIES + LogLayout.ENTRY_BYTES;
        MemorySegment log = lane.landing(bytes);
        Words.plain(log, LogLayout.MAGIC_AND_LENGTH, LogLayout.MAGIC << 32 | bytes);
        Words.plain(log, LogLayout.TXN, txn);
        Words.plain(log, LogLayout.OBJECTS, 1);
        Words.plain(log, LogLayout.ENTRIES, Pointer.of(0, 64));
        Words.plain(log, LogLayout.CHECKSUM, Checksum64.of(log, 0, bytes, txn));
        if (first >= 0) Words.plain(log, LogLayout.MAGIC_AND_LENGTH, first);
        round.write(pool.log(node), LogLayout.slot(coordinator, slot, SLOT_BYTES), bytes, log, 0)
                .post()
                .await();
    }

    private LogScan read() {
        LogScan logs = new LogScan(pool, lane, COORDINATORS, SLOT_BYTES, NO_HEAP);
        logs.read();
        assertEquals(1, logs.all().size());
        return logs;
    }

    private static LoggedTxn only(LogScan logs) {
        return logs.all().iterator().next();
    }

    /** Otherwise a reported transaction would be undone: a log on one node alone means that it has not happened. */
    @Test
    void oneWordSaysThatATransactionIsOver() {
        write(0, -1);
        write(1, LogLayout.OVER);
        LogScan logs = read();

        assertTrue(only(logs).isFollowed());
        assertEquals(1, logs.whole());
        assertEquals(0, logs.torn(), "a log that is over is not a torn one");
    }

    /** A cleared slot still has the id of its last transaction, and says nothing about it. */
    @Test
    void aClearedLogSaysNothing() {
        write(0, -1);
        write(1, 0);
        LogScan logs = read();

        assertFalse(only(logs).isFollowed());
        assertEquals(1, logs.whole());
        assertEquals(0, logs.torn());
    }

    /** A log that was begun and is not whole is counted: operators see that a client died during its commit. */
    @Test
    void aTornLogIsCounted() {
        write(0, -1);
        write(1, LogLayout.MAGIC << 32 | LogLayout.ENTRIES);
        LogScan logs = read();

        assertFalse(only(logs).isFollowed());
        assertEquals(1, logs.torn());
    }

    /** Otherwise, if a repair is cut off while it clears, the remaining logs would be taken for all of them. */
    @Test
    void everyLogIsSaidToBeOverAndThenCleared() {
        for (int c = 0; c < COORDINATORS; c++)
            for (int slot = 0; slot < LogLayout.SLOTS; slot++)
                for (int node = 0; node < 2; node++)
                    write(node, c, slot, TxnId.of(7, 1 + c * LogLayout.SLOTS + slot), -1);
        LogScan logs = new LogScan(pool, lane, COORDINATORS, SLOT_BYTES, NO_HEAP);
        logs.read();
        assertEquals(COORDINATORS * LogLayout.SLOTS, logs.all().size());

        logs.end();
        requireFirstWords(LogLayout.OVER);
        logs.clear();
        requireFirstWords(0);
    }

    private void requireFirstWords(long expected) {
        MemorySegment landed = lane.landing(Words.BYTES);
        for (int c = 0; c < COORDINATORS; c++)
            for (int slot = 0; slot < LogLayout.SLOTS; slot++)
                for (int node = 0; node < 2; node++) {
                    round.read(pool.log(node), LogLayout.slot(c, slot, SLOT_BYTES), Words.BYTES, landed, 0)
                            .post()
                            .await();
                    String where = "coordinator " + c + ", slot " + slot + ", node " + node;
                    assertEquals(expected, Words.plain(landed, 0), where);
                }
    }
}
