package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Tidepool;
import tidepool.UnknownOutcomeException;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Key;
import tidepool.schema.Schema;
import tidepool.spi.PoolAccess;
import tidepool.store.Catalog;
import tidepool.store.CatalogLayout;
import tidepool.store.PoolOptions;
import tidepool.store.RowFormat;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;
import tidepool.txn.Txn;

/**
 * A live client whose session is revoked at each verb of a transaction, before the verb or after it. The client is told
 * the true outcome, or that the outcome is unknown; a transaction that has happened is never executed again.
 */
class CutOffCommitTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    /** A session number that the fabric never assigns here. */
    private static final int OTHER_SESSION = 8_000_000;

    record Row(@Key long key, long value) {}

    /** When other sessions record as many outcomes as a pool keeps. */
    private enum Others {
        NEVER,
        BEFORE_RECOVERY,
        AFTER_RECOVERY
    }

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "farmv2", "drtmh", "motor", "hdtx"})
    void clientLearnsWhatBecameOfItsCommit(String protocol) {
        Tally tally = play(protocol, Others.NEVER);

        assertEquals(0, tally.unknown, "everything that was recorded is still there");
        assertTrue(tally.settledAsHappened > 0, "no commit that was cut off had happened: " + tally);
        assertTrue(tally.triedAgain > 0, "no commit that was cut off was tried again: " + tally);
    }

    /** Recorded outcomes are overwritten at every moment: the client is told that the outcome is unknown. */
    @ParameterizedTest
    @CsvSource({
        "ford,AFTER_RECOVERY",
        "ford,BEFORE_RECOVERY",
        "ford-lv,AFTER_RECOVERY",
        "farm,AFTER_RECOVERY",
        "farmv2,AFTER_RECOVERY",
        "drtmh,AFTER_RECOVERY",
        "motor,AFTER_RECOVERY",
        "hdtx,AFTER_RECOVERY"
    })
    void whatWasOverwrittenIsUnknown(String protocol, String others) {
        Tally tally = play(protocol, Others.valueOf(others));

        assertTrue(tally.unknown > 0, "nothing was unknown: " + tally);
    }

    /** Outcomes of all transactions that were cut off. */
    private static final class Tally {
        private int points;
        private int settledAsHappened;
        private int triedAgain;
        private int unknown;

        @Override
        public String toString() {
            return "points " + points + ", settled as happened " + settledAsHappened + ", tried again " + triedAgain
                    + ", unknown " + unknown;
        }
    }

    private static Tally play(String protocol, Others others) {
        Tally tally = new Tally();
        for (boolean alsoNext : new boolean[] {false, true})
            try (Fabric memory = Fabric.open("mem:?nodes=2")) {
                CuttingFabric fabric = new CuttingFabric(memory);
                PoolOptions options = new PoolOptions(protocol, 2, 2, 64 * 1024, 8, 4 * 1024);
                Tidepool pool = PoolAccess.open(fabric, options, new Crowded(Protocols.named(protocol), others));
                TableLayout table = PoolAccess.layout(pool.table(Schema.of("rows", Row.class), 4));
                increment(pool, table, new int[1]);
                long verb = 0;
                while (isCutOff(pool, table, fabric, verb, alsoNext, tally)) verb++;
                tally.points += (int) verb;
                pool.close();
            }
        System.out.println(protocol + ", others record " + others + ": " + tally);
        return tally;
    }

    /** Returns false if the transaction has ended before that verb. */
    private static boolean isCutOff(
            Tidepool pool, TableLayout table, CuttingFabric fabric, long verb, boolean alsoNext, Tally tally) {
        String where = "verb " + verb + (alsoNext ? " and the next one" : "");
        long before = value(pool, table);
        int[] runs = new int[1];
        fabric.cutAt(pool.sessionNumber(), verb, alsoNext);
        try {
            increment(pool, table, runs);
            boolean cut = fabric.disarm();
            assertEquals(before + 1, value(pool, table), "carried out once, cut off at " + where);
            if (!cut) return false;
            if (runs[0] == 1) tally.settledAsHappened++;
            else tally.triedAgain++;
        } catch (UnknownOutcomeException e) {
            fabric.disarm();
            tally.unknown++;
            boolean happened = value(pool, table) != before;
            assertEquals(1, runs[0], "nothing unknown is tried again, cut off at " + where);
            Boolean told = pool.resolve(e.txn());
            assertTrue(told == null || told == happened, "told " + told + ", happened " + happened + " at " + where);
        }
        return true;
    }

    private static void increment(Tidepool pool, TableLayout table, int[] runs) {
        pool.transact(tx -> {
            runs[0]++;
            Txn txn = tx.raw();
            int first = txn.put(table, 0);
            int second = txn.put(table, 1);
            if (!txn.execute()) return;
            for (int access : new int[] {first, second})
                Words.plain(txn.memory(), txn.value(access), Words.plain(txn.memory(), txn.value(access)) + 1);
        });
    }

    /** Returns the value of both rows, which are always equal. */
    private static long value(Tidepool pool, TableLayout table) {
        return pool.read(tx -> {
            int first = tx.raw().read(table, 0);
            int second = tx.raw().read(table, 1);
            tx.execute();
            long value = Words.plain(tx.raw().memory(), tx.raw().value(first));
            assertEquals(value, Words.plain(tx.raw().memory(), tx.raw().value(second)), "half of a transaction");
            return value;
        });
    }

    /** A protocol in whose pools other sessions record outcomes at the worst moment. */
    private record Crowded(Protocol protocol, Others others) implements Protocol {
        @Override
        public String name() {
            return protocol.name();
        }

        @Override
        public RowFormat rows(Schema schema) {
            return protocol.rows(schema);
        }

        @Override
        public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
            return protocol.coordinator(session, catalog, counters);
        }

        @Override
        public Recovery recovery(Session session, Catalog catalog) {
            Recovery recovery = protocol.recovery(session, catalog);
            return dead -> {
                if (others == Others.BEFORE_RECOVERY) overwrite(catalog);
                Recovery.Report report = recovery.recover(dead);
                if (others == Others.AFTER_RECOVERY) overwrite(catalog);
                return report;
            };
        }

        private static void overwrite(Catalog catalog) {
            for (int i = 1; i <= CatalogLayout.OUTCOMES; i++) catalog.recordOutcome(TxnId.of(OTHER_SESSION, i), true);
        }
    }
}
