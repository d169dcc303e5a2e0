package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.LongValuesTest.Doc;
import tidepool.base.Randomness;
import tidepool.schema.RowImage;
import tidepool.store.ContentParts;
import tidepool.txn.Txn;

/** The checks of long values find bugs that are planted: otherwise they would show nothing. */
class LongValuesPlantedTest {
    /** The layer of long contents with one bug. */
    private enum Bug {
        NONE {
            @Override
            TxnContents make(Tidepool pool, Transaction transaction, TxnAttempt attempt) {
                return new TxnContents(transaction, attempt);
            }
        },

        /** Parts are written by a transaction of their own, under the key of the row. */
        TORN_LONG_VALUE {
            @Override
            TxnContents make(Tidepool pool, Transaction transaction, TxnAttempt attempt) {
                return new TxnContents(transaction, attempt) {
                    @Override
                    void insert(ContentTables tables, RowImage image, int i, long word) {
                        byte[] content = image.content(i);
                        int first = (int) word * 1000 + i * 100;
                        image.refer(i, 1, first);
                        pool.transact(other -> {
                            Txn txn = other.raw();
                            for (int part = 0; part < ContentParts.count(content.length); part++) {
                                int access = txn.put(tables.of(content.length, part), tables.key(1, first + part));
                                other.execute();
                                ContentParts.put(
                                        content,
                                        ContentParts.from(content.length, part),
                                        ContentParts.bytes(content.length, part),
                                        txn.memory(),
                                        txn.value(access));
                            }
                        });
                    }

                    @Override
                    void delete(ContentTables tables, Ref ref) {}
                };
            }
        },

        /** A content that is replaced or deleted keeps its parts. */
        OLD_PARTS_LEFT {
            @Override
            TxnContents make(Tidepool pool, Transaction transaction, TxnAttempt attempt) {
                return new TxnContents(transaction, attempt) {
                    @Override
                    void delete(ContentTables tables, Ref ref) {}
                };
            }
        },

        /** A content of the same length counts as unchanged. */
        UNCHANGED_IS_GUESSED {
            @Override
            TxnContents make(Tidepool pool, Transaction transaction, TxnAttempt attempt) {
                return new TxnContents(transaction, attempt) {
                    @Override
                    boolean isSame(Ref ref, byte[] content) {
                        return ref != null && ref.length() == content.length;
                    }
                };
            }
        };

        abstract TxnContents make(Tidepool pool, Transaction transaction, TxnAttempt attempt);
    }

    @ParameterizedTest
    @EnumSource(Bug.class)
    void aPlantedBugIsFound(Bug bug) {
        if (bug == Bug.NONE) check(bug);
        else assertThrows(Throwable.class, () -> check(bug), bug + " was not found");
    }

    /** Loads write and delete parts by the same means, so the bugs of these have to show in them too. */
    @ParameterizedTest
    @EnumSource(
            value = Bug.class,
            names = {"NONE", "OLD_PARTS_LEFT"})
    void aPlantedBugIsFoundInLoads(Bug bug) {
        if (bug == Bug.NONE) checkLoad(bug);
        else assertThrows(Throwable.class, () -> checkLoad(bug), bug + " was not found");
    }

    private static void checkLoad(Bug bug) {
        Randomness random = new Randomness(22);
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=16m&log=256k&timeout=5s")) {
            pool.contents((transaction, attempt) -> bug.make(pool, transaction, attempt));
            Table<Doc> docs = pool.table("docs", Doc.class, 64);
            pool.transact(tx -> docs.put(tx, doc(random)));
            Doc second = doc(random);
            try (TableLoader<Doc> loader = docs.loader().onDuplicate(Duplicates.REPLACE)) {
                loader.add(second);
                loader.finish();
            }
            assertEquals(second, pool.read(tx -> docs.get(tx, 1)));
            PartsCensus.check(pool, docs);
        }
    }

    private static void check(Bug bug) {
        Randomness random = new Randomness(21);
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=16m&log=256k&timeout=5s")) {
            pool.contents((transaction, attempt) -> bug.make(pool, transaction, attempt));
            Table<Doc> docs = pool.table("docs", Doc.class, 64);
            Doc first = doc(random);
            Doc second = doc(random);
            pool.transact(tx -> docs.put(tx, first));
            try (Transaction writer = pool.begin()) {
                docs.put(writer, second);
                // Nothing of the second one is committed, so a reader must see the first one, whole.
                assertEquals(first, pool.read(tx -> docs.get(tx, 1)));
            }
            assertEquals(first, pool.read(tx -> docs.get(tx, 1)));
            pool.transact(tx -> {
                Cell<Doc> cell = docs.update(tx, 1);
                assertEquals(first, cell.get());
                cell.set(second);
            });
            assertEquals(second, pool.read(tx -> docs.get(tx, 1)));
            PartsCensus.check(pool, docs);
            pool.transact(tx -> docs.delete(tx, 1));
            PartsCensus.check(pool, docs);
        }
    }

    private static Doc doc(Randomness random) {
        return new Doc(1, LongValuesTest.text(random, 9_000), null, List.of(), Optional.empty(), random.nextInt(1000));
    }
}
