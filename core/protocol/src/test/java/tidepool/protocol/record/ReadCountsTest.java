package tidepool.protocol.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** A coordinator counts why it could not read a record, each reason in a counter of its own. */
class ReadCountsTest {
    private static final long KEY = 7;

    /** Other keys, and how many records are read together. */
    private static final long OTHERS = 100;

    private static final int MANY = 10;

    private final Fabric fabric = Fabric.open("mem:?nodes=2");
    private final Session session = fabric.attach();
    private Catalog catalog;
    private TableLayout table;
    private RecordCoordinator coordinator;
    private Coordinator writer;

    @AfterEach
    void close() {
        fabric.close();
    }

    private void open(String name) {
        Protocol protocol = Protocols.named(name);
        catalog = Catalog.open(fabric, session, new PoolOptions("ford", 2, 1, 1 << 16, 8, 4096));
        table = catalog.table(Schema.parse("rows(n:long)"), 40);
        TxnCounter counters = new TxnCounter();
        coordinator = (RecordCoordinator) protocol.coordinator(session, catalog, counters);
        writer = protocol.coordinator(session, catalog, counters);
        put(42);
        for (int i = 0; i < MANY; i++) put(OTHERS + i, i);
    }

    private void put(long value) {
        put(KEY, value);
    }

    private void put(long key, long value) {
        Txn txn = writer.begin();
        int access = txn.put(table, key);
        assertTrue(txn.execute());
        Words.plain(txn.memory(), txn.value(access), value);
        assertEquals(Outcome.COMMITTED, txn.commit());
    }

    @Test
    void aMarkedRecordIsNoTornOne() {
        open("ford");
        setWord(ObjectLayout.VERSION, TxnId.INV | wordAt(ObjectLayout.VERSION));

        assertUnreadable();
        assertTrue(coordinator.counts().markedReads > 0);
        assertEquals(0, coordinator.counts().tornReads);
        assertEquals(0, coordinator.counts().lockedReads);
    }

    @Test
    void aTornRecordIsNoMarkedOne() {
        open("ford");
        setWord(ObjectLayout.CONTENT, 43);

        assertUnreadable();
        assertTrue(coordinator.counts().tornReads > 0);
        assertEquals(0, coordinator.counts().markedReads);
        assertEquals(0, coordinator.counts().lockedReads);
    }

    /** Records that are read together are checked together, and one that is torn is found at each place among them. */
    @Test
    void aTornRecordAmongOthersIsFound() {
        open("ford");
        for (int place = 0; place < MANY; place++) {
            setWord(ObjectLayout.CONTENT, 42);
            assertTrue(readsMany(place));
            setWord(ObjectLayout.CONTENT, 43);
            long torn = coordinator.counts().tornReads;
            assertFalse(readsMany(place), "place " + place);
            assertTrue(coordinator.counts().tornReads > torn);
        }
    }

    /** A record whose version was sampled while another writer installed it is found as well. */
    @Test
    void aMarkedRecordAmongOthersIsFound() {
        open("ford");
        long version = wordAt(ObjectLayout.VERSION);
        for (int place = 0; place < MANY; place++) {
            setWord(ObjectLayout.VERSION, version);
            assertTrue(readsMany(place));
            setWord(ObjectLayout.VERSION, TxnId.INV | version);
            assertFalse(readsMany(place), "place " + place);
        }
        assertEquals(0, coordinator.counts().tornReads);
    }

    /** Reads records of one size, with that of the key at a place among them. Returns whether all could be read. */
    private boolean readsMany(int place) {
        Txn txn = coordinator.begin();
        for (int i = 0; i < MANY; i++) txn.read(table, i == place ? KEY : OTHERS + i);
        boolean isRead = txn.execute();
        assertEquals(isRead ? null : AbortReason.UNREADABLE, txn.abortReason());
        txn.rollback();
        return isRead;
    }

    @Test
    void aLockedRecordIsNeither() {
        open("ford");
        setWord(ObjectLayout.LOCK, TxnId.INV | TxnId.of(session.number(), 1 << 20));

        assertUnreadable();
        assertTrue(coordinator.counts().lockedReads > 0);
        assertEquals(0, coordinator.counts().markedReads + coordinator.counts().tornReads);
    }

    /** The body comes from the backup, and nothing of the words that are sampled at the primary lands on it. */
    @Test
    void aRecordIsReadFromABackup() {
        open("ford?reads=backup");
        for (int i = 1; i <= 4; i++) {
            put(i); // the words of the read before do not fit
            assertEquals(i, value());
            assertEquals(i / 2, coordinator.counts().backupReads, "each second read is of the backup");
        }
        assertEquals(0, coordinator.counts().tornReads);
        assertEquals(0, coordinator.counts().markedReads);
    }

    /** A backup has no locks, and its mark may be older than that of the primary. */
    @Test
    void aReadOfABackupSamplesLockAndVersionAtThePrimary() {
        open("ford?reads=backup");
        long version = wordAt(ObjectLayout.VERSION);
        setWord(ObjectLayout.VERSION, TxnId.INV | version);

        assertUnreadable();
        assertTrue(coordinator.counts().markedReads > 0 && coordinator.counts().backupReads > 0);
        setWord(ObjectLayout.VERSION, version);
        setWord(ObjectLayout.LOCK, TxnId.INV | TxnId.of(session.number(), 1 << 20));
        long locked = coordinator.counts().lockedReads;
        assertUnreadable();
        assertTrue(coordinator.counts().lockedReads > locked);
        assertEquals(0, coordinator.counts().tornReads);
    }

    private void assertUnreadable() {
        Txn txn = coordinator.begin();
        txn.read(table, KEY);
        assertFalse(txn.execute());
        assertEquals(AbortReason.UNREADABLE, txn.abortReason());
    }

    private long value() {
        Txn txn = coordinator.begin();
        int access = txn.read(table, KEY);
        assertTrue(txn.execute());
        long value = Words.plain(txn.memory(), txn.value(access));
        assertEquals(Outcome.COMMITTED, txn.commit());
        return value;
    }

    /** Returns where the row lies on its primary. */
    private long pointer() {
        long bucket = table.home(KEY);
        try (Lane lane = session.lane()) {
            PoolRegions pool = new PoolRegions(lane, catalog);
            MemorySegment landed = lane.landing(table.bucketBytes());
            lane.round(1)
                    .read(pool.primary(bucket), Pointer.offset(bucket), table.bucketBytes(), landed, 0)
                    .post()
                    .await();
            for (int slot = 0; slot < table.slots(); slot++)
                if (ObjectLayout.holds(landed, table.slotOffset(slot) + ObjectLayout.BODY, KEY))
                    return Pointer.of(Pointer.partition(bucket), Pointer.offset(bucket) + table.slotOffset(slot));
        }
        throw new AssertionError("no row");
    }

    private long wordAt(long offset) {
        long pointer = pointer();
        try (Lane lane = session.lane()) {
            MemorySegment landed = lane.landing(Words.BYTES);
            lane.round(1)
                    .read(
                            new PoolRegions(lane, catalog).primary(pointer),
                            Pointer.offset(pointer) + offset,
                            Words.BYTES,
                            landed,
                            0)
                    .post()
                    .await();
            return Words.plain(landed, 0);
        }
    }

    private void setWord(long offset, long value) {
        long pointer = pointer();
        try (Lane lane = session.lane()) {
            lane.round(1)
                    .write(new PoolRegions(lane, catalog).primary(pointer), Pointer.offset(pointer) + offset, value)
                    .post()
                    .await();
        }
    }
}
