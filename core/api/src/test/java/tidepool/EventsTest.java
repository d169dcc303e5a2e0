package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.TidepoolTest.Account;
import tidepool.fabric.Fabric;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.TxnId;

/** The events of the Flight Recorder: recorded, written to a file, and read back. */
class EventsTest {
    @TempDir
    Path folder;

    private final Fabric fabric = Fabric.open("mem:?nodes=3");
    private final Tidepool pool = open();
    private final Table<Account> accounts = pool.table("accounts", Account.class, 100);

    @BeforeEach
    void load() {
        pool.transact(tx -> {
            accounts.insert(tx, new Account(1, 10));
            accounts.insert(tx, new Account(2, 20));
        });
        pool.read(tx -> accounts.getAll(tx, 1, 2));
    }

    @AfterEach
    void close() {
        pool.close();
        fabric.close();
    }

    private Tidepool open() {
        return PoolAccess.open(fabric, new PoolOptions("ford", 2, 0, 1 << 20, 8, 16 * 1024));
    }

    @Test
    void commitTellsAttemptsAndTrips() {
        List<RecordedEvent> events = recorded("tidepool.Transaction", () -> {
            pool.transact(tx -> accounts.put(tx, new Account(1, 11)));
            pool.read(tx -> accounts.get(tx, 1));
        });

        assertEquals(2, events.size());
        RecordedEvent write = events.get(0);
        assertTransaction(write, "COMMITTED", null, 1, 2);
        assertEquals(false, write.getBoolean("readOnly"));
        assertEquals(0, write.getInt("deadSession"));
        assertEquals(pool.sessionNumber(), TxnId.session(TxnId.parse(write.getString("id"))));
        assertTrue(write.getStackTrace().getFrames().stream()
                .anyMatch(frame -> frame.getMethod().getType().getName().equals(EventsTest.class.getName())));
        assertTransaction(events.get(1), "COMMITTED", null, 1, 1);
        assertEquals(true, events.get(1).getBoolean("readOnly"));
    }

    @Test
    void whatDidNotHappenTellsWhy() {
        List<RecordedEvent> events = recorded("tidepool.Transaction", () -> {
            assertThrows(
                    Rollback.class,
                    () -> pool.transact(tx -> {
                        throw new Rollback("as planned");
                    }));
            assertThrows(
                    ArithmeticException.class,
                    () -> pool.transact(tx -> {
                        throw new ArithmeticException();
                    }));
            try (Transaction holder = pool.begin()) {
                accounts.update(holder, 1).get();
                assertThrows(ConflictException.class, () -> pool.attempts(3).transact(tx -> accounts.update(tx, 1)));
            }
        });

        assertEquals(4, events.size());
        assertTransaction(events.get(0), "ROLLED_BACK", "ROLLED_BACK", 1, 0);
        assertTransaction(events.get(1), "FAILED", "ROLLED_BACK", 1, 0);
        assertTransaction(events.get(2), "CONFLICT", "LOCKED", 3, 6); // a lookup and a lock each
        assertTransaction(events.get(3), "ROLLED_BACK", "ROLLED_BACK", 1, 1);
    }

    @Test
    void transactionsBegunByHandAndOfWorkersAreRecorded() {
        List<RecordedEvent> events = recorded("tidepool.Transaction", () -> {
            try (Transaction tx = pool.begin()) {
                accounts.update(tx, 1).get();
                try (Transaction other = pool.begin()) {
                    accounts.update(other, 1);
                    assertEquals(false, other.commit());
                }
                assertEquals(true, tx.commit());
            }
            try (Worker worker = pool.worker()) {
                worker.read(txn -> txn.read(accounts.handle(), 2) >= 0);
                worker.transact(txn -> false);
            }
        });

        assertEquals(4, events.size());
        assertTransaction(events.get(0), "CONFLICT", "LOCKED", 1, 2);
        assertTransaction(events.get(1), "COMMITTED", null, 1, 2);
        assertEquals("COMMITTED", events.get(2).getString("outcome"));
        assertTransaction(events.get(3), "ROLLED_BACK", "ROLLED_BACK", 1, 0);
    }

    /** Names the phase of the protocol's table in which a transaction stood: its page says what is left then. */
    @Test
    void whatDidNotCommitTellsTheStep() {
        List<RecordedEvent> events = recorded("tidepool.Transaction", () -> {
            pool.transact(tx -> accounts.put(tx, new Account(1, 11)));
            pool.transact(tx -> accounts.update(tx, 2)); // its steps are over when the next one begins
            assertThrows(
                    Rollback.class,
                    () -> pool.transact(tx -> {
                        throw new Rollback("before any step");
                    }));
            assertThrows(
                    Rollback.class,
                    () -> pool.transact(tx -> {
                        accounts.get(tx, 1);
                        throw new Rollback("after a read");
                    }));
            try (Transaction reader = pool.begin()) {
                accounts.get(reader, 1);
                accounts.update(reader, 2).get();
                pool.transact(tx -> accounts.put(tx, new Account(1, 12)));
                assertEquals(false, reader.commit());
            }
            try (Transaction holder = pool.begin()) {
                accounts.update(holder, 1).get();
                assertThrows(ConflictException.class, () -> pool.attempts(2).transact(tx -> accounts.update(tx, 1)));
                assertEquals(true, holder.commit());
            }
        });

        assertEquals(
                List.of(
                        "COMMITTED ",
                        "COMMITTED ",
                        "ROLLED_BACK ",
                        "ROLLED_BACK read",
                        "COMMITTED ",
                        "CONFLICT validate",
                        "CONFLICT lock",
                        "COMMITTED "),
                events.stream()
                        .map(event -> event.getString("outcome") + " " + event.getString("abortedAt"))
                        .toList());
    }

    /** A recording gets quick transactions only if it asks for them: there may be a million in a second. */
    @Test
    void quickTransactionsNeedToBeAskedFor() {
        int[] slow = new int[1];
        List<RecordedEvent> events = recorded("tidepool.Transaction", false, () -> {
            for (int i = 0; i < 2000; i++)
                try (Transaction tx = pool.begin()) {
                    accounts.get(tx, 1);
                    tx.commit();
                }
            pool.transact(tx -> {
                tidepool.base.Waiting.pause(2_000_000);
                slow[0]++;
            });
        });

        assertEquals(1, slow[0]);
        // The machine may stop this thread for a millisecond at any time, but not in every transaction.
        assertTrue(events.size() >= 1 && events.size() < 2000, "recorded " + events.size());
        for (RecordedEvent event : events)
            assertTrue(event.getDuration().compareTo(Duration.ofMillis(1)) >= 0, "" + event);
    }

    @Test
    void recoveryAndReplacementTellWhatWasDone() {
        int failed = pool.sessionNumber();
        Transaction left = pool.begin();
        accounts.update(left, 1).get();
        List<RecordedEvent> events = recorded("", () -> {
            for (int node = 0; node < fabric.nodes(); node++)
                fabric.control(node).revoke(failed);
            pool.transact(tx -> accounts.put(tx, new Account(1, 12)));
        });

        RecordedEvent recovery = only(events, "tidepool.Recovery");
        assertEquals(failed, recovery.getInt("session"));
        assertEquals(1, recovery.getInt("coordinators"));
        assertEquals(1, recovery.getInt("locksFreed"));
        assertEquals(0, recovery.getInt("finished") + recovery.getInt("undone") + recovery.getInt("tornLogs"));
        RecordedEvent replaced = only(events, "tidepool.SessionReplaced");
        assertEquals(failed, replaced.getInt("failed"));
        assertEquals(pool.sessionNumber(), replaced.getInt("replacement"));
        assertNotNull(replaced.getString("reason"));
        assertTrue(replaced.getDuration().compareTo(recovery.getDuration()) >= 0);
        assertTransaction(only(events, "tidepool.Transaction"), "COMMITTED", null, 2, -1);
    }

    /** A session that was given up blocks another process. The event of the blocked transaction names it. */
    @Test
    void transactionTellsWhichDeadSessionItMet() {
        try (Tidepool other = open()) {
            Transaction left = other.begin();
            other.table("accounts", Account.class, 100).update(left, 1).get();
            int dead = other.sessionNumber();
            fabric.control(0).revoke(dead);
            List<RecordedEvent> events =
                    recorded("tidepool.Transaction", () -> pool.transact(tx -> accounts.update(tx, 1)));

            assertEquals(1, events.size());
            assertEquals(dead, events.get(0).getInt("deadSession"));
            assertEquals("COMMITTED", events.get(0).getString("outcome"));
        }
    }

    private static void assertTransaction(RecordedEvent event, String outcome, String reason, int attempts, int trips) {
        assertEquals(outcome, event.getString("outcome"), "" + event);
        assertEquals(reason, event.getString("abortReason"), "" + event);
        assertEquals(attempts, event.getInt("attempts"), "" + event);
        if (trips >= 0) assertEquals(trips, event.getLong("roundTrips"), "" + event);
    }

    private static RecordedEvent only(List<RecordedEvent> events, String name) {
        List<RecordedEvent> named = events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
        assertEquals(1, named.size(), name);
        return named.getFirst();
    }

    private List<RecordedEvent> recorded(String name, Runnable act) {
        return recorded(name, true, act);
    }

    private List<RecordedEvent> recorded(String name, boolean all, Runnable act) {
        Path file = folder.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            for (String event : List.of("tidepool.Transaction", "tidepool.Recovery", "tidepool.SessionReplaced")) {
                recording.enable(event);
                if (all) recording.enable(event).withoutThreshold();
            }
            recording.start();
            act.run();
            recording.stop();
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().startsWith("tidepool."))
                    .filter(event ->
                            name.isEmpty() || event.getEventType().getName().equals(name))
                    .sorted(java.util.Comparator.comparing(RecordedEvent::getEndTime))
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
