package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Cell;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.fabric.Fabric;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;

/**
 * Two keys of one hash are two rows. A protocol that compares hashes alone shows one of them under the name of the
 * other one, and each step of this test notices it.
 */
class WideKeyBugTest {
    /** A key of two words, of which a test can make two with one hash. */
    public record Pair(@Key long left, @Key long right, long value) {}

    private static final Pair ONE = new Pair(1, 2, 100);
    private static final Pair OTHER = new Pair(5, CollidingKeys.right(1, 2, 5), 7);

    /** A row of another key makes an attempt end as if its address were stale, every time. */
    private static final int ATTEMPTS = 20;

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    /** The steps, each of which fails by itself if hashes are taken for keys. */
    private enum Step {
        ABSENT {
            @Override
            void play(Tidepool pool, Table<Pair> pairs) {
                assertNull(pool.read(tx -> pairs.get(tx, OTHER.left, OTHER.right)), "a row of another key");
            }
        },
        INSERT {
            @Override
            void play(Tidepool pool, Table<Pair> pairs) {
                pool.attempts(ATTEMPTS).transact(tx -> pairs.insert(tx, OTHER));
                assertBoth(pool, pairs, ONE, OTHER);
            }
        },
        PUT {
            @Override
            void play(Tidepool pool, Table<Pair> pairs) {
                pool.attempts(ATTEMPTS).transact(tx -> pairs.put(tx, OTHER));
                assertBoth(pool, pairs, ONE, OTHER);
            }
        },
        UPDATE {
            @Override
            void play(Tidepool pool, Table<Pair> pairs) {
                pool.attempts(ATTEMPTS).transact(tx -> pairs.put(tx, OTHER));
                pool.attempts(ATTEMPTS).transact(tx -> {
                    Cell<Pair> first = pairs.update(tx, ONE.left, ONE.right);
                    Cell<Pair> second = pairs.update(tx, OTHER.left, OTHER.right);
                    first.set(new Pair(ONE.left, ONE.right, first.get().value + 1));
                    second.set(new Pair(OTHER.left, OTHER.right, second.get().value + 10));
                });
                assertBoth(pool, pairs, new Pair(ONE.left, ONE.right, 101), new Pair(OTHER.left, OTHER.right, 17));
            }
        },
        DELETE {
            @Override
            void play(Tidepool pool, Table<Pair> pairs) {
                pool.attempts(ATTEMPTS).transact(tx -> pairs.delete(tx, OTHER.left, OTHER.right));
                assertNotNull(pool.read(tx -> pairs.get(tx, ONE.left, ONE.right)), "the row of another key is gone");
            }
        };

        abstract void play(Tidepool pool, Table<Pair> pairs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford", "motor", "farm", "farmv2", "drtmh"})
    void aHashThatIsTakenForAKeyIsNoticed(String protocol) {
        for (Step step : Step.values()) {
            assertDoesNotThrow(() -> play(Protocols.named(protocol), step), "without a bug, " + step);
            Protocol planted = WideKeyBug.HASH_EQUALS_KEY.in(protocol);
            assertThrows(Throwable.class, () -> play(planted, step), step + " does not notice the bug");
        }
    }

    private static void play(Protocol protocol, Step step) {
        PoolOptions options = new PoolOptions(protocol.name(), 1, 1, 1 << 20, 4, 64 * 1024);
        try (Fabric fabric = Fabric.open("mem:");
                Tidepool pool = PoolAccess.open(fabric, options, protocol)) {
            Table<Pair> pairs = pool.table("pairs", Pair.class, 100);
            assertEquals(
                    pairs.key(ONE.left, ONE.right).word(),
                    pairs.key(OTHER.left, OTHER.right).word());
            pool.transact(tx -> pairs.insert(tx, ONE));
            step.play(pool, pairs);
        }
    }

    private static void assertBoth(Tidepool pool, Table<Pair> pairs, Pair one, Pair other) {
        assertEquals(one, pool.read(tx -> pairs.get(tx, one.left, one.right)));
        assertEquals(other, pool.read(tx -> pairs.get(tx, other.left, other.right)));
    }
}
