package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.TidepoolTest.Account;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.NodeControl;
import tidepool.fabric.OrderTable;
import tidepool.fabric.Session;
import tidepool.fabric.Traffic;
import tidepool.protocol.Coordinator;
import tidepool.protocol.ForwardingTxn;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.spi.PoolAccess;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** The fabric fails during a transaction: it is retried, or reports that its outcome is unknown. */
class FabricFailureTest {
    private final Stubborn fabric = new Stubborn(Fabric.open("mem:?nodes=3"));
    private final AtomicBoolean cutsOffCommit = new AtomicBoolean();
    private final AtomicBoolean refusesBegin = new AtomicBoolean();
    private final Tidepool pool =
            PoolAccess.open(fabric, new PoolOptions("ford", 2, 0, 1 << 20, 8, 16 * 1024), new CutOff());
    private final Table<Account> accounts = pool.table("accounts", Account.class, 100);

    @BeforeEach
    void load() {
        pool.transact(tx -> accounts.insert(tx, new Account(1, 10)));
    }

    @AfterEach
    void close() {
        fabric.refusing = false;
        pool.close();
        fabric.close();
    }

    @Test
    void commitThatWasCutOffIsSettledAndTriedAgain() {
        int before = pool.sessionNumber();
        cutsOffCommit.set(true);
        pool.transact(tx -> accounts.update(tx, 1).set(new Account(1, 11)));

        assertEquals(11, balance());
        assertNotEquals(before, pool.sessionNumber());
        assertEquals(1, pool.statistics().recoveries());
        assertEquals(0, pool.statistics().aborts(), "it was not others who stood in the way");
    }

    /** A session that was only slow learns why it was replaced, also if others took over while it committed. */
    @Test
    void commitThatWasCutOffTellsWhy(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("tidepool.SessionReplaced").withoutThreshold();
            recording.start();
            cutsOffCommit.set(true);
            pool.transact(tx -> accounts.update(tx, 1).set(new Account(1, 11)));
            recording.stop();
            recording.dump(file);
        }

        List<String> reasons = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("tidepool.SessionReplaced"))
                .map(event -> event.getString("reason"))
                .toList();
        assertEquals(1, reasons.size());
        assertTrue(reasons.getFirst().startsWith("commit was cut off: "), "" + reasons);
        assertTrue(reasons.getFirst().contains("EPOCH"), "" + reasons);
    }

    /** While no session can be attached, the outcome is unknown. Afterwards the id is enough to resolve it. */
    @Test
    void unknownOutcomeIsResolvedByItsId() {
        cutsOffCommit.set(true);
        fabric.refusing = true;
        UnknownOutcomeException e = assertThrows(UnknownOutcomeException.class, () -> pool.within(Duration.ofMillis(3))
                .transact(tx -> accounts.update(tx, 1).set(new Account(1, 11))));
        assertTrue(e.getMessage().startsWith("it is not known whether the transaction happened: txn="), "" + e);

        fabric.refusing = false;

        assertEquals(false, pool.resolve(e.txn()));
        assertEquals(10, balance());
        pool.attempts(1).transact(tx -> accounts.update(tx, 1).set(new Account(1, 12)));
        assertEquals(12, balance());
    }

    /** An explicit transaction is not retried, and still leaves no lock. */
    @Test
    void transactionBegunByHandIsMended() {
        try (Transaction tx = pool.begin()) {
            accounts.update(tx, 1).get();
            revokeAt(1, 2, 0);
            assertThrows(FabricException.class, () -> accounts.get(tx, 2));
            assertThrows(IllegalStateException.class, tx::commit);
        }
        pool.attempts(1).transact(tx -> accounts.update(tx, 1).set(new Account(1, 12)));

        try (Transaction tx = pool.begin()) {
            accounts.update(tx, 1).set(new Account(1, 13));
            cutsOffCommit.set(true);
            assertEquals(false, tx.commit(), "it did not happen: try again");
        }
        assertEquals(12, balance());
        pool.attempts(1).transact(tx -> accounts.update(tx, 1).set(new Account(1, 14)));
        assertEquals(14, balance());
    }

    /**
     * On fields, {@code execute} of the transaction replaces the session; {@code execute} of {@code raw} only throws.
     */
    @Test
    void transactionOnFieldsIsMended() {
        int before = pool.sessionNumber();
        try (Transaction tx = pool.begin()) {
            tx.raw().update(accounts.handle(), 1);
            tx.execute();
            revokeAt(1, 2, 0);
            tx.raw().read(accounts.handle(), 2);
            assertThrows(FabricException.class, tx::execute);
        }
        assertNotEquals(before, pool.sessionNumber());
        pool.attempts(1).transact(tx -> accounts.update(tx, 1).set(new Account(1, 12)));
        assertEquals(12, balance());
    }

    /** A body may wrap the exception, or hide it: the attempt failed, and is retried. */
    @Test
    void aFailureThatTheBodyHidesIsMendedAndTriedAgain() {
        AtomicBoolean cut = new AtomicBoolean(true);
        pool.transact(tx -> {
            accounts.update(tx, 1).get();
            if (cut.getAndSet(false)) revokeAt(1, 2, 0);
            try {
                accounts.get(tx, 2);
            } catch (FabricException e) {
                throw new IllegalArgumentException("wrapped", e);
            }
            accounts.put(tx, new Account(1, 16));
        });
        assertEquals(16, balance());

        cut.set(true);
        pool.transact(tx -> {
            accounts.update(tx, 1).set(new Account(1, 17));
            accounts.get(tx, 1);
            if (cut.getAndSet(false)) revokeAt(1, 2, 0);
            try {
                accounts.get(tx, 2);
            } catch (FabricException e) {
                // hidden by the body
            }
        });
        assertEquals(17, balance());
    }

    /** The session is also replaced after a failure that a worker's work hides. */
    @Test
    void aFailureThatTheWorkHidesIsMendedAndTriedAgain() {
        try (Worker worker = pool.worker()) {
            for (boolean wants : List.of(true, false)) {
                AtomicBoolean cut = new AtomicBoolean(true);
                assertTrue(worker.transact(txn -> {
                    int row = txn.update(accounts.handle(), 1);
                    if (!txn.execute()) return false;
                    boolean cuts = cut.getAndSet(false);
                    if (cuts) revokeAt(1, 2, 0);
                    txn.read(accounts.handle(), 2);
                    try {
                        return txn.execute() && txn.found(row);
                    } catch (FabricException e) {
                        return wants;
                    }
                }));
            }
        }
        pool.attempts(1).transact(tx -> accounts.update(tx, 1).set(new Account(1, 18)));
        assertEquals(18, balance());
    }

    /** A failure that only the layer of fields has seen leaves no lock when its transaction ends. */
    @Test
    void aFailureOfRawIsMendedByTheNext() {
        try (Transaction tx = pool.begin()) {
            tx.raw().update(accounts.handle(), 1);
            tx.execute();
            revokeAt(1, 2, 0);
            tx.raw().read(accounts.handle(), 2);
            assertThrows(FabricException.class, () -> tx.raw().execute());
        }
        pool.attempts(1).transact(tx -> accounts.update(tx, 1).set(new Account(1, 19)));
        assertEquals(19, balance());
    }

    /**
     * It leaves no lock either if the pool is closed next: other processes do not recover a session that has left
     * cleanly.
     */
    @Test
    void aFailureOfRawIsMendedByTheEnd() {
        try (Tidepool other = PoolAccess.open(
                fabric, new PoolOptions("ford", 2, 0, 1 << 20, 8, 16 * 1024), Protocols.named("ford"))) {
            Table<Account> same = other.table("accounts", Account.class, 100);
            long far = 2;
            while (PoolAccess.layout(same.handle()).partition(far)
                    == PoolAccess.layout(same.handle()).partition(1)) far++;
            try (Transaction tx = other.begin()) {
                tx.raw().update(same.handle(), 1);
                tx.execute();
                int node = PoolAccess.layout(same.handle()).partition(far);
                fabric.control(node).revoke(other.sessionNumber());
                tx.raw().read(same.handle(), far);
                assertThrows(FabricException.class, () -> tx.raw().execute());
            }
        }
        pool.within(Duration.ofMillis(500))
                .transact(tx -> accounts.update(tx, 1).set(new Account(1, 20)));
        assertEquals(20, balance());
    }

    /** A failure that could not be repaired in time is repaired by the next transaction. */
    @Test
    void whatWasLeftIsMendedByTheNext() {
        revokeAt(0, 1, 2);
        fabric.refusing = true;
        assertThrows(
                FabricException.class, () -> pool.within(Duration.ofMillis(2)).transact(tx -> accounts.update(tx, 1)));
        fabric.refusing = false;

        pool.attempts(1).transact(tx -> accounts.update(tx, 1).set(new Account(1, 15)));
        assertEquals(15, balance());
    }

    /** Such as an end of the memory of the process. */
    @Test
    void aBeginThatFailsKeepsNoCoordinator() {
        for (int i = 0; i < 20; i++) { // the pool has 8 coordinators
            refusesBegin.set(true);
            assertThrows(IllegalStateException.class, () -> pool.transact(tx -> accounts.get(tx, 1)));
            refusesBegin.set(true);
            assertThrows(IllegalStateException.class, pool::begin);
        }
        pool.transact(tx -> accounts.update(tx, 1).set(new Account(1, 21)));
        assertEquals(21, balance());
    }

    /** Counts continue over the end of a session. */
    @Test
    void nothingCountedIsLost() {
        for (int i = 0; i < 5; i++) pool.transact(tx -> accounts.put(tx, new Account(1, 20)));
        assertEquals(6, pool.statistics().commits());
        Traffic before = PoolAccess.traffic(pool);
        revokeAt(0, 1, 2);
        for (int i = 0; i < 5; i++) pool.transact(tx -> accounts.put(tx, new Account(1, 20)));

        assertEquals(11, pool.statistics().commits());
        assertTrue(PoolAccess.traffic(pool).since(before).roundTrips() >= 10, "" + PoolAccess.traffic(pool));
    }

    private long balance() {
        return pool.read(tx -> accounts.get(tx, 1)).balance();
    }

    private void revokeAt(int... nodes) {
        int session = pool.sessionNumber();
        for (int node : nodes) fabric.control(node).revoke(session);
    }

    /** FORD whose next commit, if requested, loses the connection to one node after its locks are taken. */
    private final class CutOff implements Protocol {
        private final Protocol ford = Protocols.named("ford");

        @Override
        public String name() {
            return ford.name();
        }

        @Override
        public Recovery recovery(Session session, Catalog catalog) {
            return ford.recovery(session, catalog);
        }

        @Override
        public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
            Coordinator coordinator = ford.coordinator(session, catalog, counters);
            return new Coordinator() {
                @Override
                public int number() {
                    return coordinator.number();
                }

                @Override
                public Txn begin() {
                    if (refusesBegin.getAndSet(false)) throw new IllegalStateException("it does not begin");
                    return new CutOffTxn(coordinator.begin(), session.number());
                }

                @Override
                public Traffic traffic() {
                    return coordinator.traffic();
                }

                @Override
                public String whyBroken() {
                    return coordinator.whyBroken();
                }

                @Override
                public void close() {
                    coordinator.close();
                }
            };
        }
    }

    private final class CutOffTxn extends ForwardingTxn {
        private final int session;

        CutOffTxn(Txn txn, int session) {
            this.inner = txn;
            this.session = session;
        }

        @Override
        public Outcome commit() {
            if (cutsOffCommit.compareAndSet(true, false))
                for (int node = 0; node < 2; node++) fabric.control(node).revoke(session);
            return super.commit();
        }
    }

    /** A fabric that refuses new sessions while it is told to. */
    private static final class Stubborn extends Fabric {
        private final Fabric fabric;
        volatile boolean refusing;

        Stubborn(Fabric fabric) {
            this.fabric = fabric;
        }

        @Override
        public Session attach() {
            if (refusing) throw FabricException.unavailable("no new sessions for now");
            return fabric.attach();
        }

        @Override
        public String name() {
            return fabric.name();
        }

        @Override
        public int nodes() {
            return fabric.nodes();
        }

        @Override
        public OrderTable orders() {
            return fabric.orders();
        }

        @Override
        public NodeControl control(int node) {
            return fabric.control(node);
        }

        @Override
        public boolean isDead(int session) {
            return fabric.isDead(session);
        }

        @Override
        public void close() {
            fabric.close();
        }
    }
}
