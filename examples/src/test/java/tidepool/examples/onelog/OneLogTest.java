package tidepool.examples.onelog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.ClusterSimulation;
import tidepool.examples.BankTransfer.Account;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Recovery;
import tidepool.spi.PoolAccess;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.testkit.Effort;

/** The example protocol passes the test of the others: whole clusters whose machines die. */
class OneLogTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final PoolOptions OPTIONS = new PoolOptions("onelog", 2, 0, 1 << 20, 8, 16 * 1024);

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @Test
    void commitsInThreeTrips() {
        try (Fabric fabric = Fabric.open("mem:?nodes=3");
                Tidepool pool = PoolAccess.open(fabric, OPTIONS, new OneLog())) {
            Table<Account> accounts = pool.table("accounts", Account.class);
            pool.transact(tx -> accounts.put(tx, new Account(1, 10)));
            long before = pool.traffic().roundTrips();
            pool.transact(tx -> accounts.update(tx, 1).set(new Account(1, 20)));

            assertEquals(3, pool.traffic().roundTrips() - before);
            assertEquals(new Account(1, 20), pool.compute(tx -> accounts.get(tx, 1)));
        }
    }

    @Test
    void survivesMachinesThatDieAtAnyVerb() {
        ClusterReport all = ClusterReport.empty();
        Effort.seeds(20, 100, 10_000).forEach(seed -> {
            ClusterReport report =
                    ClusterSimulation.run(ClusterOptions.drawn(seed).withProtocol(OneLog::new));
            all.add(report);
        });

        List<String> rare = List.of("recovery finished", "recovery lock freed by intent", "committed");
        assertEquals(List.of(), all.missing(Effort.current() == Effort.QUICK ? List.of("committed") : rare));
    }

    /** Without its recovery it fails the test, which shows that the test is effective. */
    @Test
    void withoutRecoveryItDoesNot() {
        assertThrows(ClusterFailure.class, () -> {
            for (long seed = 1; seed <= 100; seed++)
                ClusterSimulation.run(ClusterOptions.drawn(seed).withProtocol(Forgetful::new));
        });
    }

    /** Frees locks and finishes nothing. */
    private static final class Forgetful implements tidepool.protocol.Protocol {
        private final OneLog sound = new OneLog();

        @Override
        public String name() {
            return sound.name();
        }

        @Override
        public tidepool.protocol.Coordinator coordinator(
                Session session, Catalog catalog, tidepool.protocol.TxnCounter counters) {
            return sound.coordinator(session, catalog, counters);
        }

        @Override
        public Recovery recovery(Session session, Catalog catalog) {
            return new tidepool.protocol.record.RecordRecovery(session, catalog) {
                @Override
                protected void resolve(long txn, List<Log> logs) {}
            };
        }
    }

    @Test
    void isShort() throws IOException {
        long lines = Files.lines(Path.of("src/main/java/tidepool/examples/onelog/OneLog.java"))
                .count();
        assertTrue(lines < 200, "lines " + lines);
    }
}
