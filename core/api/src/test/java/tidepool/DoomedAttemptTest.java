package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.schema.Key;
import tidepool.store.StoreException;
import tidepool.txn.Txn;

/**
 * An attempt that has read one value from before and one from after a commit sees a state that never existed. Its
 * conclusions from that never reach the caller. The writer is a transaction inside the body: it commits between two
 * reads.
 */
class DoomedAttemptTest {
    /** A number; those of 1 and 2 are always equal. */
    public record Number(@Key long id, long value) {}

    private static final long X = 1;
    private static final long Y = 2;
    private static final long Z = 3;

    /** Exists from the moment at which X and Y become non-zero. */
    private static final long NEW = 4;

    /** Returns the serializable protocols. Under snapshot isolation all reads of a transaction are of one moment. */
    static List<String> protocols() {
        return OwnEffectsTest.protocols().stream()
                .filter(protocol -> !protocol.contains("snapshot"))
                .toList();
    }

    /** A pool, its table, and the writer that commits between two reads. */
    private static final class Scene implements AutoCloseable {
        final Tidepool pool;
        final Table<Number> numbers;
        int attempts;
        int doomed;
        boolean written;

        Scene(String protocol) {
            this(protocol, "");
        }

        /** @param options more options of the pool's URL */
        Scene(String protocol, String options) {
            pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=1m" + options + "&protocol=" + protocol);
            numbers = pool.table("numbers", Number.class, 100);
            for (long key : new long[] {X, Y, Z}) pool.transact(tx -> numbers.put(tx, new Number(key, 0)));
        }

        /** Writes in the first attempt only. A lock of the body may block the writer: then nothing is written. */
        void writeOnce() {
            if (attempts++ == 0) write();
        }

        void write() {
            try {
                pool.attempts(1).transact(tx -> {
                    long next = numbers.get(tx, X).value() + 1;
                    numbers.put(tx, new Number(X, next));
                    numbers.put(tx, new Number(Y, next));
                    numbers.put(tx, new Number(NEW, next));
                });
                written = true;
            } catch (ConflictException e) {
                written = false;
            }
        }

        /** Reads X, runs the writer, reads Y. Returns true if X and Y differ, as they never do in the pool. */
        boolean sees(Transaction tx) {
            long x = numbers.get(tx, X).value();
            writeOnce();
            boolean wrong = numbers.get(tx, Y).value() != x;
            if (wrong) doomed++;
            return wrong;
        }

        long fail(Transaction tx, IOException thrown) throws IOException {
            attempts++;
            if (numbers.get(tx, X).value() == numbers.get(tx, Y).value()) throw thrown;
            return 0;
        }

        void requireTriedAgain() {
            assertEquals(written ? 2 : 1, attempts);
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    /** Throws one of the exceptions that bodies throw. */
    private static void raise(int how) throws IOException {
        switch (how) {
            case 0 -> throw new IllegalStateException("X and Y differ");
            case 1 -> throw new Rollback("X and Y differ");
            case 2 -> throw new AssertionError("X and Y differ");
            case 3 -> throw new DuplicateKeyException("X and Y differ");
            case 4 -> throw new IOException("X and Y differ");
            default -> throw new StackOverflowError();
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void whatABodyThrowsComesFromAStateThatWas(String protocol) throws IOException {
        for (int how = 0; how < 6; how++) {
            int kind = how;
            try (Scene scene = new Scene(protocol)) {
                scene.pool.transact(tx -> {
                    if (scene.sees(tx)) raise(kind);
                });
                scene.requireTriedAgain();
                boolean snapshots = protocol.startsWith("motor") || protocol.startsWith("farmv2");
                assertEquals(snapshots ? 0 : 1, scene.doomed, "the body saw it");
            }
        }
    }

    /** A transaction that writes has no snapshot: it sees both values, and would throw. */
    @ParameterizedTest
    @MethodSource("protocols")
    void whatAWriterThrowsComesFromAStateThatWas(String protocol) throws IOException {
        for (int how = 0; how < 6; how++) {
            int kind = how;
            try (Scene scene = new Scene(protocol)) {
                scene.pool.transact(tx -> {
                    scene.numbers.put(tx, new Number(Z, 7));
                    if (scene.sees(tx)) raise(kind);
                });
                scene.requireTriedAgain();
                assertEquals(scene.written ? 1 : 0, scene.doomed, "the body saw it");
            }
        }
    }

    /** An interrupt does not come from the reads. A retry would drop it, and the thread would never end. */
    @ParameterizedTest
    @MethodSource("protocols")
    void anInterruptIsNotDropped(String protocol) {
        try (Scene scene = new Scene(protocol)) {
            assertThrows(
                    InterruptedException.class,
                    () -> scene.pool.transact(tx -> {
                        scene.numbers.put(tx, new Number(Z, 7));
                        scene.sees(tx);
                        if (scene.attempts == 1) throw new InterruptedException();
                    }));
            assertEquals(1, scene.attempts);
            assertEquals(0, scene.pool.read(tx -> scene.numbers.get(tx, Z)).value());
        }
    }

    @Test
    void withSnapshotIsolationNoTransactionSeesSuchAState() {
        try (Scene scene = new Scene("motor&isolation=snapshot")) {
            scene.pool.transact(tx -> {
                scene.numbers.put(tx, new Number(Z, 7));
                assertFalse(scene.sees(tx));
            });
            assertTrue(scene.written);
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void aReaderThrowsNothingEither(String protocol) throws IOException {
        try (Scene scene = new Scene(protocol)) {
            boolean wrong = scene.pool.read(tx -> {
                if (scene.sees(tx)) throw new IOException("X and Y differ");
                return false;
            });
            assertFalse(wrong);
            scene.requireTriedAgain();
        }
    }

    /** X says that NEW does not exist; then NEW is inserted. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aDuplicateKeyWasThereWithTheRest(String protocol) {
        try (Scene scene = new Scene(protocol)) {
            scene.pool.transact(tx -> {
                boolean isNew = scene.numbers.get(tx, X).value() == 0;
                scene.writeOnce();
                if (isNew) scene.numbers.insert(tx, new Number(NEW, 9));
            });
            scene.requireTriedAgain();
            assertEquals(
                    scene.written ? 1 : 9,
                    scene.pool.read(tx -> scene.numbers.get(tx, NEW)).value());
        }
    }

    /** X says that NEW exists; it did not when it was read. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aRecordThatIsNotFoundWasNotThereWithTheRest(String protocol) {
        try (Scene scene = new Scene(protocol)) {
            scene.pool.transact(tx -> {
                scene.numbers.update(tx, Z);
                Cell<Number> cell = scene.numbers.read(tx, NEW);
                boolean there = cell.isPresent();
                scene.writeOnce();
                if (!there && scene.numbers.get(tx, X).value() != 0) cell.get();
            });
            scene.requireTriedAgain();
        }
    }

    /** Records that are locked only at commit are validated like the others. */
    @ParameterizedTest
    @MethodSource("protocols")
    void whatIsToBeWrittenWasReadWithTheRest(String protocol) {
        try (Scene scene = new Scene(protocol)) {
            scene.pool.transact(tx -> {
                long x = scene.numbers.update(tx, X).get().value();
                scene.writeOnce();
                if (scene.numbers.get(tx, Y).value() != x) throw new IllegalStateException("X and Y differ");
            });
            scene.requireTriedAgain();
        }
    }

    /** A loop that an inconsistent state misleads ends when the transaction is too large. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aTransactionThatIsTooLargeWouldHaveBeenSo(String protocol) {
        try (Scene scene = new Scene(protocol)) {
            scene.pool.transact(tx -> {
                scene.numbers.update(tx, Z);
                if (!scene.sees(tx)) return;
                for (long key = 1_000; ; key++) scene.numbers.read(tx, key);
            });
            scene.requireTriedAgain();
        }
    }

    /** The log of the commit has no room for the rows that an inconsistent state made the body write. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aCommitThatIsTooLargeWouldHaveBeenSo(String protocol) {
        try (Scene scene = new Scene(protocol, "&log=1k")) {
            scene.pool.transact(tx -> {
                scene.numbers.update(tx, Z);
                if (!scene.sees(tx)) return;
                for (long key = 1_000; key < 1_060; key++) scene.numbers.put(tx, new Number(key, 1));
            });
            scene.requireTriedAgain();
        }
    }

    /** The commit finds no room for a row that an inconsistent state made the body write. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aTableThatIsFullAtTheCommitWouldHaveBeenSo(String protocol) {
        try (Scene scene = new Scene(protocol)) {
            Table<Number> full = scene.pool.table("full", Number.class, 1);
            long last = fill(scene.pool, full);
            scene.pool.transact(tx -> {
                scene.numbers.update(tx, Z);
                if (scene.sees(tx)) full.put(tx, new Number(last, 1));
            });
            scene.requireTriedAgain();
        }
    }

    /** Returns a key for which the table has no room. */
    private static long fill(Tidepool pool, Table<Number> table) {
        for (long key = 0; ; key++) {
            long id = key;
            try {
                pool.transact(tx -> table.insert(tx, new Number(id, 1)));
            } catch (StoreException e) {
                assertEquals(StoreException.Reason.FULL, e.reason());
                return id;
            }
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void workGivesUpForWhatWas(String protocol) {
        for (int how = 0; how < 3; how++) {
            int kind = how;
            try (Scene scene = new Scene(protocol);
                    Worker worker = scene.pool.worker()) {
                boolean done = worker.transact(txn -> {
                    txn.update(scene.numbers.handle(), Z);
                    int x = txn.read(scene.numbers.handle(), X);
                    if (!txn.execute()) return false;
                    long seen = value(scene, txn, x);
                    scene.writeOnce();
                    int y = txn.read(scene.numbers.handle(), Y);
                    if (!txn.execute()) return false;
                    if (value(scene, txn, y) == seen) return true;
                    if (kind == 0) return false;
                    if (kind == 1) throw new IllegalStateException("X and Y differ");
                    throw new AssertionError("X and Y differ");
                });
                assertTrue(done);
                scene.requireTriedAgain();
                assertEquals(scene.attempts, worker.attempts());
            }
        }
    }

    private static long value(Scene scene, Txn txn, int access) {
        return scene.numbers.handle().schema().longField("value").get(txn.memory(), txn.value(access));
    }

    /** An explicit transaction has one attempt: it is over. */
    @ParameterizedTest
    @MethodSource("protocols")
    void byHandItIsAConflict(String protocol) {
        try (Scene scene = new Scene(protocol)) {
            try (Transaction tx = scene.pool.begin()) {
                scene.numbers.update(tx, Z);
                Cell<Number> cell = scene.numbers.read(tx, NEW);
                assertFalse(cell.isPresent());
                scene.write();
                assumeTrue(scene.written);
                assertThrows(ConflictException.class, () -> {
                    assertNotNull(scene.numbers.get(tx, X));
                    cell.get();
                });
                assertThrows(IllegalStateException.class, () -> scene.numbers.get(tx, X));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void byHandACommitThatIsRefusedInVainSaysFalse(String protocol) {
        try (Scene scene = new Scene(protocol)) {
            try (Transaction tx = scene.pool.begin()) {
                scene.numbers.put(tx, new Number(Z, 7));
                assertEquals(0, scene.numbers.get(tx, X).value());
                scene.write();
                assumeTrue(scene.written);
                scene.numbers.insert(tx, new Number(NEW, 9));
                assertFalse(tx.commit());
            }
            assertEquals(0, scene.pool.read(tx -> scene.numbers.get(tx, Z)).value());
        }
    }

    /** An exception that comes from a consistent state is thrown as it is, after one attempt. */
    @ParameterizedTest
    @MethodSource("protocols")
    void whatIsRealComesOut(String protocol) {
        try (Scene scene = new Scene(protocol)) {
            IllegalStateException thrown = new IllegalStateException("as planned");
            TransactionFunction<Number, RuntimeException> body = tx -> {
                scene.attempts++;
                scene.numbers.put(tx, new Number(Z, 7));
                scene.numbers.getAll(tx, X, Y);
                throw thrown;
            };
            assertSame(thrown, assertThrows(IllegalStateException.class, () -> scene.pool.compute(body)));
            assertEquals(1, scene.attempts);
            assertEquals(0, scene.pool.read(tx -> scene.numbers.get(tx, Z)).value());
        }
    }

    /** A checked exception too: the compiler lets the caller catch it by its class, and the writes are undone. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aCheckedExceptionComesOutUnchanged(String protocol) {
        try (Scene scene = new Scene(protocol)) {
            IOException thrown = new IOException("as planned");
            for (boolean readOnly : new boolean[] {false, true}) {
                scene.attempts = 0;
                try {
                    if (readOnly) scene.pool.read(tx -> scene.fail(tx, thrown));
                    else
                        scene.pool.transact(tx -> {
                            scene.numbers.put(tx, new Number(Z, 7));
                            scene.fail(tx, thrown);
                        });
                    fail("was not thrown");
                } catch (IOException e) {
                    assertSame(thrown, e);
                }
                assertEquals(1, scene.attempts);
            }
            assertEquals(0, scene.pool.read(tx -> scene.numbers.get(tx, Z)).value());
            scene.pool.attempts(1).transact(tx -> scene.numbers.put(tx, new Number(Z, 8))); // no lock is left
        }
    }

    /** It is not retried for ever. */
    @Test
    void aBodyThatIsDoomedEveryTimeEndsWithAConflict() {
        try (Scene scene = new Scene("ford")) {
            assertThrows(ConflictException.class, () -> scene.pool.attempts(3).transact(tx -> {
                scene.attempts = 0;
                if (scene.sees(tx)) throw new IllegalStateException("X and Y differ");
            }));
            assertEquals(3, scene.doomed);
        }
    }
}
