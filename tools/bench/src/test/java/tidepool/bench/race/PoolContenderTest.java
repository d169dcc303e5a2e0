package tidepool.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Tidepool;
import tidepool.protocol.Protocols;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.PoolTables;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.WorkloadClient;
import tidepool.workload.measured.Workloads;

/** Ours in a race: every protocol and fabric, the counts of the protocol's table, and a check that can fail. */
class PoolContenderTest {
    private static final String KVS = "kvs?records=500&writes=50&zipf=0.5";

    @TempDir
    Path folder;

    private Contender open(String protocol, String fabric, MeasuredWorkload workload, int attempts) {
        return new PoolContender(new ContenderOptions(
                RaceEntry.ours(protocol, fabric), workload, folder, 2, 4, PoolShape.USUAL, attempts));
    }

    private static MeasuredWorkload kvs(String text) {
        return Workloads.named(text, Scale.PAPER);
    }

    /** A pool with given memory has as much, whatever the workload expects. Tables grow in it, round by round. */
    @Test
    void memoryIsAsGiven() {
        MeasuredWorkload workload = Workloads.named("tpcc?warehouses=1&customers=20&items=100&orders=1", Scale.PAPER);
        for (long bytes : new long[] {256L << 20, 1L << 30}) {
            PoolSize size = PoolSize.of(new PoolShape(2, 2, bytes), workload, 2, "motor");
            assertTrue(size.allBytes() <= bytes && size.allBytes() > bytes - 1024, size + " of " + bytes);
        }
        String message = assertThrows(
                        IllegalArgumentException.class,
                        () -> PoolSize.of(new PoolShape(2, 2, 32 << 20), workload, 2, "ford"))
                .getMessage();
        assertTrue(message.startsWith("--memory leaves no room for tables: logs="), message);

        ContenderOptions options = new ContenderOptions(
                RaceEntry.ours("ford", "mem"), workload, folder, 2, 2, new PoolShape(0, 0, 256 << 20), 0);
        try (PoolContender contender = new PoolContender(options);
                ContenderThreads threads = new ContenderThreads(contender, new ThreadOptions(2, 1, 0, 1))) {
            long grown = 0;
            for (int round = 0; round < 200 && grown == 0; round++)
                grown = Trial.round(threads, 50).events().getOrDefault(RoundTable.GROWTH, 0L);
            assertTrue(grown > 0, "tables for one order do not grow");
            assertEquals(List.of(), contender.check());
        }
    }

    /** Any of our protocols runs any workload, and the pool holds what was committed. */
    @Test
    void everyProtocolCanRace() {
        for (String protocol : Protocols.names())
            try (Contender contender = open(protocol, "mem", kvs(KVS + "&objects=4"), 0)) {
                assertTrue(Trial.run(contender, 2, 7, 50) > 0, protocol);
                assertEquals(List.of(), contender.check(), protocol);
            }
    }

    /** Three processes with the memory, several strands on each of two threads; all that was committed is there. */
    @Tag("full")
    @Tag("process")
    @Test
    void oursRaceOverTcpByStrands() {
        for (String protocol : Protocols.names())
            try (Contender contender = new PoolContender(new ContenderOptions(
                            RaceEntry.ours(protocol, "tcp"),
                            kvs(KVS + "&objects=4"),
                            folder,
                            2,
                            8,
                            PoolShape.USUAL,
                            0));
                    ContenderThreads contenderThreads =
                            new ContenderThreads(contender, new ThreadOptions(2, 4, 0, 7))) {
                contenderThreads.warmUp();
                assertTrue(Trial.round(contenderThreads, 300).count(TxnEnd.COMMITTED) > 0, protocol);
                assertEquals(List.of(), contender.check(), protocol);
                assertTrue(contender.settings().startsWith("3 memory nodes in processes on loopback"));
            }
    }

    /**
     * One copy, as other stores have, and more than the usual ones; nodes that forget nothing and nodes that forget
     * all.
     */
    @Test
    void aPoolHasTheShapeThatWasAskedFor() {
        record Case(String protocol, String fabric, PoolShape shape, String settings) {}
        for (Case each : List.of(
                new Case("ford", "mem", new PoolShape(1, 0, 0), "1 memory node inside the process, 1 replica;"),
                new Case("motor", "mem", new PoolShape(0, 1, 0), "2 memory nodes inside the process, 1 replica;"),
                new Case("hdtx", "mem", new PoolShape(4, 3, 0), "4 memory nodes inside the process, 3 replicas;"),
                new Case(
                        "ford?flush=selective",
                        "tcp",
                        new PoolShape(1, 1, 0),
                        "1 memory node in processes on loopback, 1 "),
                new Case(
                        "ford?flush=selective",
                        "tcp",
                        new PoolShape(2, 0, 0),
                        "2 memory nodes in processes on loopback, 2 "))) {
            ContenderOptions options = new ContenderOptions(
                    RaceEntry.ours(each.protocol, each.fabric), kvs(KVS), folder, 2, 2, each.shape, 0);
            try (Contender contender = new PoolContender(options)) {
                assertTrue(contender.settings().startsWith(each.settings), contender.settings());
                assertTrue(Trial.run(contender, 2, 7, 50) > 0, each.toString());
                assertEquals(List.of(), contender.check(), each.toString());
                if (each.fabric.equals("tcp")) assertTrue(contender.events().get("forces") > 0, each.toString());
            }
        }
    }

    /** Switches follow the protocol's name, and reach it: validation at the backup is one more verb. */
    @Test
    void switchesReachTheProtocol() {
        try (Contender contender = open("ford?reads=backup", "shm", kvs(KVS), 0)) {
            assertTrue(Trial.run(contender, 2, 7, 50) > 0);
            assertEquals(List.of(), contender.check());
        }
    }

    /** FORD is measured without shortcuts: trips, verbs and bytes by type, with addresses known. */
    @Test
    void transactionsTakeTheTripsOfTheTable() {
        try (Contender contender = open("ford", "mem", kvs(KVS), 0);
                ClientDriver driver = contender.driver(0, 1, 3)) {
            driver.warmUp();
            for (int i = 0; i < 100; i++) {
                boolean reads = driver.draw() == 0;
                assertEquals(TxnEnd.COMMITTED, driver.run());
                assertEquals(1, driver.attempts());
                assertEquals(reads ? 1 : 2, driver.roundTrips());
                assertEquals(reads ? 3 : 12, driver.verbs());
                assertEquals(reads ? 88 : 568, driver.bytes());
            }
        }
    }

    /** Nothing is allocated once caches have grown, aborts included. */
    @Test
    void workAllocatesNothing() {
        try (Contender contender = open("ford", "mem", kvs("kvs?records=64&writes=50&objects=2"), 0);
                ContenderThreads contenderThreads = new ContenderThreads(contender, new ThreadOptions(2, 1, 0, 3))) {
            contenderThreads.warmUp();
            contenderThreads.round(1_000_000_000, progress -> {});
            // The JVM may allocate while it compiles; a transaction that allocates does it in every round.
            long min = Long.MAX_VALUE;
            for (int i = 0; i < 10 && min > 0; i++) {
                RoundResult round = Trial.round(contenderThreads, 200);
                min = Math.min(min, round.bytesAllocated() / round.transactions());
            }
            assertEquals(0, min);
        }
    }

    /** Abandoned transactions are counted apart, and have no effect. */
    @Test
    void anAbandonedTransactionIsNeitherCommittedNorRolledBack() {
        MeasuredWorkload workload = kvs("kvs?records=2&writes=100");
        String url = "mem:?" + PoolSize.of("mem", workload, 2).parameters();
        try (Tidepool pool = Tidepool.open(url)) {
            List<TableLayout> tables = PoolTables.open(pool, workload);
            tidepool.workload.measured.PoolLoader.load(pool, tables, workload, 0, 1);
            WorkloadClient client = workload.client(tables, 0, 1, 1);
            try (PoolDriver driver = new PoolDriver(pool.worker(), client, null, 1);
                    tidepool.Worker holder = pool.worker()) {
                holder.transact(txn -> holdBoth(txn, tables.getFirst(), driver));
                assertEquals(0, client.book()[1], "nothing was written");
                driver.draw();
                assertEquals(TxnEnd.COMMITTED, driver.run());
            }
        }
    }

    private static boolean holdBoth(Txn txn, TableLayout table, ClientDriver other) {
        txn.update(table, 0);
        txn.update(table, 1);
        assertTrue(txn.execute());
        other.draw();
        assertEquals(TxnEnd.ABANDONED, other.run());
        assertEquals(1, other.attempts());
        return true;
    }

    /** A store that does not hold what was committed is reported, in words. */
    @Test
    void aLostUpdateIsNoticed() {
        try (Contender contender = open("ford", "mem", kvs(KVS), 0);
                ClientDriver driver = contender.driver(0, 1, 3)) {
            Trial.work(driver, 100);
            assertEquals(List.of(), contender.check());
        }
        MeasuredWorkload forgetful = new ForgetfulWorkload(kvs(KVS));
        try (Contender contender = open("ford", "mem", forgetful, 0);
                ClientDriver driver = contender.driver(0, 1, 3)) {
            Trial.work(driver, 100);
            assertFalse(contender.check().isEmpty());
        }
    }
}
