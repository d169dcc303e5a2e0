package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.base.Randomness;
import tidepool.schema.Key;
import tidepool.testkit.Effort;

/**
 * Every access of a transaction sees all earlier effects of the transaction, through any API, in the order of the
 * program.
 */
class OwnEffectsTest {
    static List<String> protocols() {
        return List.of(
                "ford",
                "ford&locking=separate",
                "ford-lv",
                "farm",
                "drtmh",
                "farmv2",
                "motor",
                "motor&isolation=snapshot",
                "hdtx",
                "hdtx&reads=locked");
    }

    /** Random programs compared with maps, on tables that overflow; {@code -Dtidepool.seed} sets the first seed. */
    @ParameterizedTest
    @MethodSource("protocols")
    void randomProgramsSeeWhatTheyDid(String protocol) {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=2m&protocol=" + protocol);
                OwnProgram programs = new OwnProgram(pool)) {
            Effort.seeds(100, 400, 20_000).forEach(seed -> programs.run(new Randomness(seed), "seed=" + seed));
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void aTransferToOneselfMakesNoMoney(String protocol) {
        onAccount(protocol, (pool, accounts) -> {
            pool.transact(tx -> {
                Cell<OwnProgram.Pair> from = accounts.update(tx, 17), to = accounts.update(tx, 17);
                from.set(from.get().plus(-5));
                to.set(to.get().plus(5));
            });
            assertEquals(100, pool.compute(tx -> accounts.get(tx, 17)).a());
        });
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void aDeletedRecordIsShownByItsCellAlone(String protocol) {
        onAccount(
                protocol,
                (pool, accounts) -> pool.transact(tx -> {
                    Cell<OwnProgram.Pair> seen = accounts.read(tx, 17);
                    accounts.update(tx, 17).set(new OwnProgram.Pair(17, 1, 1));
                    Cell<OwnProgram.Pair> deleted = accounts.delete(tx, 17);
                    assertNull(accounts.get(tx, 17));
                    assertThrows(NotFoundException.class, seen::get);
                    accounts.put(tx, new OwnProgram.Pair(17, 2, 2));
                    assertEquals(1, deleted.get().a());
                    assertEquals(2, seen.get().a());
                }));
    }

    /** The fields of {@link OwnProgram.Pair}. */
    record Twin(@Key long id, long a, long b) {}

    /** Two classes may share a table: a record that one of them has put can be deleted by the other. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aRecordOfAnotherClassIsDeleted(String protocol) {
        onAccount(protocol, (pool, accounts) -> {
            Table<Twin> twins = pool.table("accounts", Twin.class);
            pool.transact(tx -> {
                twins.put(tx, new Twin(3, 7, 8));
                assertEquals(
                        new OwnProgram.Pair(3, 7, 8), accounts.delete(tx, 3).get());
                assertNull(twins.get(tx, 3));
            });
        });
    }

    /** A refusal that is known when the record is given is thrown at once, and the application may continue. */
    @Test
    void aRefusalThatWroteNothingCanBeCaught() {
        onAccount("ford", (pool, accounts) -> {
            pool.transact(tx -> {
                assertNull(accounts.get(tx, 3));
                Cell<OwnProgram.Pair> missing = accounts.update(tx, 3);
                assertThrows(NotFoundException.class, () -> missing.set(new OwnProgram.Pair(3, 1, 1)));
                accounts.get(tx, 17);
                assertThrows(DuplicateKeyException.class, () -> accounts.insert(tx, new OwnProgram.Pair(17, 1, 1)));
                accounts.insert(tx, new OwnProgram.Pair(3, 4, 4));
            });
            assertEquals(4, pool.compute(tx -> accounts.get(tx, 3)).a());
            assertEquals(100, pool.compute(tx -> accounts.get(tx, 17)).a());
        });
    }

    /** A refusal that is found later ends the transaction, however often its exception is caught. */
    @Test
    void aRefusalThatComesLateEndsTheTransaction() {
        onAccount("ford", (pool, accounts) -> {
            List<Exception> caught = new ArrayList<>();
            assertThrows(
                    DuplicateKeyException.class,
                    () -> pool.transact(tx -> {
                        accounts.insert(tx, new OwnProgram.Pair(17, 1, 1));
                        try {
                            accounts.get(tx, 3);
                        } catch (DuplicateKeyException e) {
                            caught.add(e);
                        }
                    }));
            assertEquals(1, caught.size());
            assertEquals(100, pool.compute(tx -> accounts.get(tx, 17)).a());
        });
    }

    /** A test body for a pool and its table. */
    private interface Scene {
        void play(Tidepool pool, Table<OwnProgram.Pair> accounts);
    }

    private static void onAccount(String protocol, Scene scene) {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=1m&protocol=" + protocol)) {
            Table<OwnProgram.Pair> accounts = pool.table("accounts", OwnProgram.Pair.class, 100);
            pool.transact(tx -> accounts.put(tx, new OwnProgram.Pair(17, 100, 0)));
            scene.play(pool, accounts);
        }
    }
}
