package tidepool.protocol.fordlv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.memory.VersionTable;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.fordlv.FordLvOptions.Sharing;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** A session died while it held the sets of the Vcache that all processes share, so no session can announce a write. */
class HeldVersionsTest {
    private static final FordLvOptions OPTIONS = new FordLvOptions(Sharing.GLOBAL, 4096);

    private final FordLv protocol = new FordLv(OPTIONS);
    private final Fabric fabric = Fabric.open("mem:?nodes=2");
    private final Session dead = fabric.attach();
    private final Session alsoDead = fabric.attach();
    private final Session session = fabric.attach();
    private Catalog catalog;
    private TableLayout table;
    private Coordinator writer;

    @BeforeEach
    void open() {
        catalog = Catalog.open(fabric, session, new PoolOptions("ford-lv", 2, 1, 1 << 16, 8, 4096));
        table = catalog.table(Schema.parse("rows(n:long)"), 4);
        writer = protocol.coordinator(session, catalog, new TxnCounter());
        assertEquals(Outcome.COMMITTED, put(1));
    }

    @AfterEach
    void close() {
        fabric.close();
    }

    /**
     * Otherwise a transaction would write that was aborted and holds no locks, and that no other transaction sees
     * coming.
     */
    @Test
    void whoCannotAnnounceDoesNotCommit() {
        hold();

        Txn txn = writer.begin();
        int access = txn.update(table, 1);
        txn.execute();
        Words.plain(txn.memory(), txn.value(access), 2);

        assertEquals(Outcome.ABORTED, txn.commit());
        assertEquals(AbortReason.READ_LOCKED, txn.abortReason());
        assertEquals(dead.number(), txn.blockingSession(), "the session to recover");
        assertEquals(1, value());
    }

    /** Otherwise no session could ever write again. One recoverer recovers two sessions, one after the other. */
    @Test
    void aRecoveryFreesTheSets() {
        hold();

        Recovery recovery = protocol.recovery(session, catalog);
        recovery.recover(dead.number());
        recovery.recover(alsoDead.number());

        assertEquals(Outcome.COMMITTED, put(3));
        assertEquals(3, value());
    }

    private void hold() {
        Lane lane = session.lane();
        Region versions = lane.connect(0).open(catalog.versionTable(true, OPTIONS.bytes()));
        for (long set = 0; set < versions.bytes(); set += VersionTable.SET_BYTES)
            lane.round(1).write(versions, set, dead.number()).post().await();
    }

    private Outcome put(long value) {
        Txn txn = writer.begin();
        int access = txn.put(table, 1);
        txn.execute();
        MemorySegment memory = txn.memory();
        Words.plain(memory, txn.value(access), value);
        return txn.commit();
    }

    private long value() {
        Coordinator reader = protocol.coordinator(session, catalog, new TxnCounter());
        Txn txn = reader.begin();
        int access = txn.read(table, 1);
        txn.execute();
        return Words.plain(txn.memory(), txn.value(access));
    }
}
