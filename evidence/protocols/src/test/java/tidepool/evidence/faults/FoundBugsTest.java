package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tidepool.Cell;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.clusters.ClusterOptions;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricUrl;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.sim.CostProfile;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;

/** Bugs of FORD that seeds of the cluster have found, each as a minimal test. */
class FoundBugsTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    /** A row with a number. */
    public record Row(@Key long key, long value) {}

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /** Seed 137: the slot was already locked for the new key, so nothing was locked and nothing was checked. */
    @Test
    void staleAddressOfASlotThatThisTransactionHoldsIsNoticed() {
        try (Fabric fabric = Fabric.open("mem:?nodes=1");
                Tidepool one = PoolAccess.open(fabric, options(4));
                Tidepool other = PoolAccess.open(fabric, options(4))) {
            Table<Row> rows = one.table("rows", Row.class, 1);
            Table<Row> rowsOfOther = other.table("rows", Row.class, 1);
            one.transact(tx -> rows.insert(tx, new Row(1, 10)));
            other.transact(tx -> rowsOfOther.delete(tx, 1)); // one still has its address

            one.transact(tx -> {
                rows.insert(tx, new Row(2, 20));
                tx.raw().execute(); // takes the slot in which key 1 was
                Cell<Row> gone = rows.update(tx, 1);
                assertFalse(gone.isPresent());
            });

            assertEquals(20, one.compute(tx -> rows.get(tx, 2)).value());
        }
    }

    /** Everything that the insert needs is locked already; it still has to be placed. */
    @Test
    void secondOverflowingInsertOfATransactionIsPlaced() {
        try (Fabric fabric = Fabric.open("mem:?nodes=1");
                Tidepool pool = PoolAccess.open(fabric, options(4))) {
            Table<Row> rows = pool.table("rows", Row.class, 1);
            int slots = PoolAccess.layout(rows.handle()).slots();
            for (long i = 0; i < slots; i++) {
                long key = i;
                pool.transact(tx -> rows.insert(tx, new Row(key, key)));
            }

            pool.transact(tx -> {
                rows.insert(tx, new Row(100, 1));
                tx.raw().execute();
                rows.insert(tx, new Row(101, 2));
                tx.raw().execute();
            });

            assertEquals(1, pool.compute(tx -> rows.get(tx, 100)).value());
            assertEquals(2, pool.compute(tx -> rows.get(tx, 101)).value());
        }
    }

    /** Seeds 218 and 395 of {@code ford?locking=separate}: one slot, two keys, one image of both. */
    @Test
    void slotThatAnotherKeyTookBeforeItWasLockedIsNoticed() {
        try (Fabric fabric = Fabric.open("mem:?nodes=1");
                Tidepool one = PoolAccess.open(fabric, options(4), lateLocking());
                Tidepool other = PoolAccess.open(fabric, options(4), lateLocking())) {
            Table<Row> rows = one.table("rows", Row.class, 1);
            Table<Row> rowsOfOther = other.table("rows", Row.class, 1);
            boolean[] again = new boolean[1];

            one.transact(tx -> {
                int inserted = tx.raw().insert(rows.handle(), 1);
                tx.raw().execute(); // sees that the first slot is free
                if (!again[0]) other.transact(t -> rowsOfOther.insert(t, new Row(2, 20))); // and takes it
                again[0] = true;
                int updated = tx.raw().update(rows.handle(), 2);
                if (tx.raw().execute())
                    assertNotEquals(tx.raw().value(inserted), tx.raw().value(updated));
            });

            assertEquals(0, one.compute(tx -> rows.get(tx, 1)).value());
            assertEquals(20, one.compute(tx -> rows.get(tx, 2)).value());
        }
    }

    private static Protocol lateLocking() {
        return Protocols.of(FabricUrl.parse("mem:?protocol=ford&locking=separate"));
    }

    /**
     * Seeds 246 and 324: no client waits for a lock of the dead sessions, so none recovered them, and their coordinator
     * places were lost.
     */
    @Test
    void placesOfDeadCoordinatorsAreTakenAgain() {
        try (Simulation simulation = new Simulation(1)) {
            SimFabric fabric =
                    new SimFabric(simulation, 2, CostProfile.named("cx5").withLease(0), ClusterOptions.DEATHS);
            for (int i = 0; i < 5; i++) {
                Machine machine = simulation.machine("m" + i, 1);
                long key = i;
                simulation.start(machine, "m" + i, () -> {
                    Tidepool pool = PoolAccess.open(fabric, options(2));
                    Table<Row> rows = pool.table("rows", Row.class, 8);
                    pool.transact(tx -> rows.insert(tx, new Row(key, key)));
                });
                simulation.run();
                simulation.settle();
                machine.crash();
            }
        }
    }

    private static PoolOptions options(int coordinators) {
        return new PoolOptions("ford", 1, 1, 64 * 1024, coordinators, 4 * 1024);
    }
}
