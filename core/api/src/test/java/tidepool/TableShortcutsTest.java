package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.fabric.Traffic;
import tidepool.fabric.VerbKind;
import tidepool.schema.Key;
import tidepool.spi.PoolAccess;

/**
 * {@code find}, {@code exists}, {@code upsert} and {@code computeIfAbsent} do in one call what applications would write
 * by hand. They cost no more than that, and conflict as that would.
 */
@ParameterizedClass
@MethodSource("protocols")
class TableShortcutsTest {
    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }

    /** A count of something. */
    public record Hits(@Key long page, long count) {
        Hits more() {
            return new Hits(page, count + 1);
        }
    }

    private static final long THERE = 17;
    private static final long MISSING = 18;

    private final boolean locksReads;
    private final Tidepool pool;
    private final Table<Hits> hits;

    TableShortcutsTest(String protocol) {
        pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=1m&protocol=" + protocol);
        hits = pool.table("hits", Hits.class, 100);
        locksReads = protocol.contains("reads=locked");
        pool.transact(tx -> hits.put(tx, new Hits(THERE, 5)));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private Hits stored(long page) {
        return pool.read(tx -> hits.get(tx, page));
    }

    @Test
    void lookupsTellWhetherThereIsARecord() {
        pool.transact(tx -> {
            assertEquals(Optional.of(new Hits(THERE, 5)), hits.find(tx, THERE));
            assertEquals(Optional.empty(), hits.find(tx, MISSING));
            assertTrue(hits.exists(tx, THERE));
            assertFalse(hits.exists(tx, MISSING));
            hits.delete(tx, THERE);
            hits.insert(tx, new Hits(MISSING, 1));
            assertFalse(hits.exists(tx, THERE));
            assertEquals(Optional.of(new Hits(MISSING, 1)), hits.find(tx, MISSING));
        });
    }

    @Test
    void lookupsCostWhatGetCosts() {
        for (long page : new long[] {THERE, MISSING}) {
            Traffic get = reading(tx -> hits.get(tx, page));
            assertSameCost(get, reading(tx -> hits.find(tx, page)));
            assertSameCost(get, reading(tx -> hits.exists(tx, page)));
        }
    }

    @Test
    void upsertCostsWhatPutCosts() {
        assertSameCost(
                writing(tx -> hits.put(tx, new Hits(THERE, 6))),
                writing(tx -> hits.upsert(tx, new Hits(THERE, 1), Hits::more)));
        assertEquals(new Hits(THERE, 7), stored(THERE));

        Traffic put = writing(tx -> hits.put(tx, new Hits(MISSING, 1)));
        pool.transact(tx -> hits.delete(tx, MISSING));
        assertSameCost(put, writing(tx -> hits.upsert(tx, new Hits(MISSING, 1), Hits::more)));
        assertEquals(new Hits(MISSING, 1), stored(MISSING));
    }

    @Test
    void computeIfAbsentCostsWhatInsertCosts() {
        Traffic insert = writing(tx -> hits.insert(tx, new Hits(MISSING, 1)));
        pool.transact(tx -> hits.delete(tx, MISSING));
        assertSameCost(insert, writing(tx -> hits.computeIfAbsent(tx, MISSING, page -> new Hits(page, 1))));
        assertEquals(new Hits(MISSING, 1), stored(MISSING));
    }

    /**
     * The key may be new, so its bucket is looked up although the address of the record is known. Nothing is locked,
     * unless the protocol locks the reads of a transaction that declares writes.
     */
    @Test
    void computeIfAbsentLooksUpABucketIfThereIsARecord() {
        Traffic get = writing(tx -> hits.get(tx, THERE));
        Traffic compute = writing(tx -> hits.computeIfAbsent(tx, THERE, page -> new Hits(page, 1)));
        assertEquals(get.roundTrips() + 1, compute.roundTrips());
        assertEquals(get.verbs(VerbKind.CAS) + (locksReads ? 1 : 0), compute.verbs(VerbKind.CAS));
        if (!locksReads) assertEquals(0, compute.bytesWritten());
        assertEquals(new Hits(THERE, 5), stored(THERE));
    }

    /** The maker is not called in vain: it may be costly, or count. */
    @Test
    void whatIsThereIsNotMadeAgain() {
        AtomicInteger made = new AtomicInteger();
        for (int i = 0; i < 3; i++)
            pool.transact(tx -> {
                Hits first = hits.computeIfAbsent(tx, MISSING, page -> new Hits(page, made.incrementAndGet()));
                Hits second = hits.computeIfAbsent(tx, MISSING, page -> new Hits(page, made.incrementAndGet()));
                assertEquals(new Hits(MISSING, 1), first);
                assertEquals(first, second);
            });
        assertEquals(1, made.get());
    }

    /** A deleted record is gone for what follows, and stays in the cell of its delete. */
    @Test
    void afterADeleteTheKeyIsNew() {
        pool.transact(tx -> {
            Cell<Hits> deleted = hits.delete(tx, THERE);
            assertEquals(new Hits(THERE, 9), hits.computeIfAbsent(tx, THERE, page -> new Hits(page, 9)));
            assertEquals(new Hits(THERE, 5), deleted.get());
            hits.delete(tx, THERE);
            assertEquals(new Hits(THERE, 1), hits.upsert(tx, new Hits(THERE, 1), Hits::more));
            assertEquals(new Hits(THERE, 2), hits.upsert(tx, new Hits(THERE, 1), Hits::more));
        });
        assertEquals(new Hits(THERE, 2), stored(THERE));
    }

    /** Two transactions that count the same page: one of them commits and the other is told, or both count. */
    @Test
    void noUpsertIsLost() {
        for (long page : new long[] {THERE, MISSING}) {
            long commits = page == THERE ? 5 : 0;
            for (int i = 0; i < 10; i++) {
                try (Transaction tx = pool.begin()) {
                    hits.upsert(tx, new Hits(page, 1), Hits::more);
                    if (counted(page)) commits++;
                    if (tx.commit()) commits++;
                } catch (ConflictException e) {
                    // it counts nothing
                }
            }
            assertTrue(commits >= 10, "at least one of two commits: " + commits);
            assertEquals(new Hits(page, commits), stored(page));
        }
    }

    private boolean counted(long page) {
        try {
            pool.attempts(1).transact(tx -> hits.upsert(tx, new Hits(page, 1), Hits::more));
            return true;
        } catch (ConflictException e) {
            return false;
        }
    }

    /** Two transactions that make the same record: only one of them commits its own. */
    @Test
    void onlyOneTransactionMakesARecord() {
        boolean other = false;
        boolean own = false;
        try (Transaction tx = pool.begin()) {
            hits.computeIfAbsent(tx, MISSING, page -> new Hits(page, 1));
            try {
                pool.attempts(1).transact(inner -> hits.computeIfAbsent(inner, MISSING, page -> new Hits(page, 2)));
                other = true;
            } catch (ConflictException e) {
                // the first holds the lock
            }
            own = tx.commit();
        }
        assertTrue(own != other, "own=" + own + " other=" + other);
        assertEquals(new Hits(MISSING, own ? 1 : 2), stored(MISSING));
    }

    /** A body that catches what its function has thrown commits all else, and no half-made record. */
    @Test
    void aFunctionThatThrowsChangesNothing() {
        IllegalStateException thrown = new IllegalStateException("as planned");
        pool.transact(tx -> {
            assertSame(
                    thrown,
                    assertThrows(
                            IllegalStateException.class,
                            () -> hits.computeIfAbsent(tx, MISSING, _ -> {
                                throw thrown;
                            })));
            assertSame(
                    thrown,
                    assertThrows(
                            IllegalStateException.class,
                            () -> hits.upsert(tx, new Hits(THERE, 1), _ -> {
                                throw thrown;
                            })));
            assertFalse(hits.exists(tx, MISSING));
            hits.insert(tx, new Hits(19, 3));
        });
        assertEquals(new Hits(THERE, 5), stored(THERE));
        assertEquals(new Hits(19, 3), stored(19));
        assertEquals(Optional.empty(), pool.read(tx -> hits.find(tx, MISSING)));
    }

    @Test
    void aRecordOfAnotherKeyIsRefused() {
        pool.transact(tx -> {
            String made = assertThrows(
                            IllegalArgumentException.class,
                            () -> hits.computeIfAbsent(tx, MISSING, _ -> new Hits(1, 1)))
                    .getMessage();
            String changed = assertThrows(
                            IllegalArgumentException.class,
                            () -> hits.upsert(tx, new Hits(THERE, 1), _ -> new Hits(2, 1)))
                    .getMessage();
            assertEquals("the record has another key: table=hits key=1 expected=18", made);
            assertEquals("the record has another key: table=hits key=2 expected=17", changed);
            assertThrows(NullPointerException.class, () -> hits.computeIfAbsent(tx, MISSING, _ -> null));
            assertThrows(NullPointerException.class, () -> hits.upsert(tx, new Hits(THERE, 1), _ -> null));
            assertThrows(NullPointerException.class, () -> hits.upsert(tx, null, Hits::more));
        });
        assertEquals(new Hits(THERE, 5), stored(THERE));
        assertEquals(Optional.empty(), pool.read(tx -> hits.find(tx, MISSING)));
    }

    /** Also for a key that exists: whether a body writes must not depend on the data. */
    @Test
    void aReadOnlyTransactionRefusesThem() {
        Traffic sent = traffic(() -> {
            assertThrows(
                    IllegalStateException.class,
                    () -> pool.read(tx -> hits.computeIfAbsent(tx, THERE, page -> new Hits(page, 1))));
            assertThrows(
                    IllegalStateException.class,
                    () -> pool.read(tx -> hits.upsert(tx, new Hits(THERE, 1), Hits::more)));
        });
        assertEquals(0, sent.allVerbs());
    }

    @Test
    void valuesPrintThemselves() {
        assertEquals("hits(count:long) rows=" + hits.handle().rows(), hits.toString());
        pool.transact(
                tx -> assertEquals("table=hits key=17", hits.read(tx, THERE).toString()));
        assertThrows(
                Rollback.class,
                () -> pool.transact(tx -> {
                    hits.put(tx, new Hits(THERE, 0));
                    throw new Rollback("to be counted");
                }));
        assertEquals(
                "commits=2 aborts=1 ROLLED_BACK=1 recoveries=0",
                pool.statistics().toString());
    }

    // ---- costs

    private Traffic reading(TransactionFunction<?, RuntimeException> body) {
        return traffic(() -> pool.read(body));
    }

    private Traffic writing(TransactionBody<RuntimeException> body) {
        return traffic(() -> pool.transact(body));
    }

    private Traffic traffic(Runnable work) {
        Traffic before = PoolAccess.traffic(pool).snapshot();
        work.run();
        return PoolAccess.traffic(pool).since(before);
    }

    private static void assertSameCost(Traffic expected, Traffic actual) {
        assertEquals(expected.roundTrips(), actual.roundTrips());
        assertEquals(expected.allVerbs(), actual.allVerbs());
        assertEquals(expected.bytesRead(), actual.bytesRead());
        assertEquals(expected.bytesWritten(), actual.bytesWritten());
    }
}
