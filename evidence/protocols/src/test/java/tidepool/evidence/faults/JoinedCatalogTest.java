package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.clusters.SimRosters;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.store.Catalog;
import tidepool.store.CatalogLayout;
import tidepool.store.FlushPolicy;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.TxnId;

/**
 * All nodes that a pool began with are lost, one after the other, and others have taken their places. The catalog of
 * the last ones has the tables, the outcomes and the counters of the first ones. Otherwise a client would learn that
 * its commit never happened, a table would lie on another one, or a timestamp would be given twice.
 */
class JoinedCatalogTest {
    private static final int COORDINATORS = 8;
    private static final PoolOptions OPTIONS = new PoolOptions("motor", 2, 2, 256 * 1024, COORDINATORS, 4096);
    private static final int FIRST_NODES = 2;
    private static final long LEASE_NANOS = 50_000;
    private static final long HAPPENED = TxnId.of(5, 1);
    private static final long DROPPED = TxnId.of(5, 2);

    /** One row. */
    public record Row(@Key long id, long value) {}

    private final Simulation simulation = new Simulation(1);
    private final SimFabric fabric = new SimFabric(
            simulation,
            2 * FIRST_NODES,
            CostProfile.CX5.withLease(LEASE_NANOS).withDeadline(2_000_000),
            Adversary.ORDER);
    private final SimRosters rosters = new SimRosters(fabric, FIRST_NODES, 2, 2, LEASE_NANOS);

    /** The words of a catalog that a change of nodes must not put back. */
    private record Counters(long recorded, long clock, long timestamp) {}

    private static Protocol motor() {
        return Protocols.named("motor");
    }

    @Test
    void nodesThatJoinedHaveTheCatalogOfThoseThatAreLost() {
        try (simulation) {
            simulation.start(simulation.machine("m", 1), "m", () -> {
                writeRow("first", 1);
                Counters before = withCatalog(catalog -> {
                    catalog.recordOutcome(HAPPENED, true);
                    catalog.recordOutcome(DROPPED, false);
                    catalog.claimCoordinator(); // and this session ends without giving it back
                });
                for (int lost = FIRST_NODES - 1; lost >= 0; lost--) {
                    replace(lost);
                    Counters old = before;
                    before = withCatalog(catalog -> {
                        assertEquals(1, catalog.outcome(HAPPENED));
                        assertEquals(2, catalog.outcome(DROPPED));
                        assertTrue(catalog.keepsOutcomesAfter(0));
                        assertEquals(COORDINATORS, catalog.coordinatorsOf(0).size(), "coordinators without an owner");
                    });
                    assertTrue(before.recorded >= 2, before + " after " + old);
                    assertTrue(before.clock > old.clock, before + " after " + old);
                    assertTrue(before.timestamp > old.timestamp, before + " after " + old);
                }
                // A table that is made writes the number of tables to all nodes, so none is made earlier.
                assertEquals(1, readRow("first"));
                writeRow("second", 2);
                assertEquals(1, readRow("first"));
                assertEquals(2, readRow("second"));
            });
            simulation.run();
        }
    }

    /** Loses a node. Returns when another one has all copies that it held. */
    private void replace(int lost) {
        rosters.crash(lost);
        Waiting.pause(2 * LEASE_NANOS);
        Steward steward = new Steward(rosters.client(), OPTIONS, motor());
        while (steward.tend() || rosters.positionOf(lost) >= 0) Waiting.pause(LEASE_NANOS);
        Roster now = rosters.now();
        assertTrue(now.steady() && !now.isFilling() && now.members().size() == FIRST_NODES, now.text());
    }

    private interface Work {
        void on(Catalog catalog);
    }

    /** Does something with the catalog. Returns its counters afterwards. */
    private Counters withCatalog(Work work) {
        Roster now = rosters.now();
        SimFabric members = rosters.showing(now);
        try (Session session = members.attach()) {
            Catalog catalog = Catalog.open(members, session, OPTIONS, FlushPolicy.NONE, now);
            work.on(catalog);
            Lane lane = session.lane();
            Region region = lane.connect(0).open(members.control(0).regions()[0]);
            MemorySegment landed = lane.landing(Words.BYTES);
            lane.round(1)
                    .read(region, CatalogLayout.TIMESTAMP, Words.BYTES, landed, 0)
                    .post()
                    .await();
            return new Counters(catalog.outcomesRecorded(), catalog.historyTick(), Words.plain(landed, 0));
        }
    }

    private void writeRow(String table, long value) {
        try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, motor())) {
            Table<Row> rows = pool.table(table, Row.class, 100);
            pool.transact(tx -> rows.put(tx, new Row(1, value)));
        }
    }

    private long readRow(String table) {
        try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, motor())) {
            Table<Row> rows = pool.table(table, Row.class);
            return pool.read(tx -> rows.get(tx, 1).value());
        }
    }
}
