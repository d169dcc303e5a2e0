package tidepool.contracts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import tidepool.fabric.OrderTable;
import tidepool.fabric.Round;
import tidepool.fabric.VerbKind;
import tidepool.memory.ChainedWorkBuilder;

/**
 * Contract tests of the order of verbs on one connection. Rows are the first verb, columns the second; an order is kept
 * without a fence (x), or only if the second verb carries one (F). An order that a fabric claims to keep beyond that is
 * tested without the fence, too.
 *
 * <pre>
 *              SEND   WRITE   READ   ATOMIC
 *   SEND        x      x       x      x
 *   WRITE       x      x       x      x
 *   READ        F      F       x      F
 *   ATOMIC      F      F       x      F
 * </pre>
 *
 * An order means that every word of the first verb takes effect before any word of the second. Therefore the first verb
 * of the litmus tests is a block wherever it can be one.
 */
interface OrderContract extends ContractBase {
    /** Offset of the block of the first verb, and its length. */
    long BLOCK = 4096;

    int BLOCK_WORDS = 32;
    long BLOCK_BYTES = BLOCK_WORDS * 8L;

    /** Offset of the word of the second verb. */
    long FLAG = 512;

    /** Protocols are written against this table; a fabric may keep more, never less. */
    @Test
    default void ordersAreAtLeastThoseOfRdma() {
        try (FabricWorld world = open(1, true)) {
            for (VerbKind first : VerbKind.values())
                for (VerbKind second : VerbKind.values())
                    assertTrue(
                            !OrderTable.RDMA.keeps(first, second)
                                    || world.fabric().orders().keeps(first, second),
                            first + " then " + second);
        }
    }

    /** WRITE, WRITE: log before data, data before release. */
    @Test
    default void writeFollowsWrite() {
        try (ContractPool pool = pool()) {
            Litmus.watch(
                    pool,
                    "writeFollowsWrite",
                    c -> i -> {
                        c.fill(0, BLOCK_WORDS, i);
                        c.round
                                .write(c.region(), BLOCK, BLOCK_BYTES, c.here, 0)
                                .write(c.region(), FLAG, i)
                                .post()
                                .await();
                    },
                    OrderContract::blockIsAsNewAsFlag);
        }
    }

    /** WRITE, WRITE: a block after a word. */
    @Test
    default void blockFollowsWord() {
        try (ContractPool pool = pool()) {
            Litmus.watch(
                    pool,
                    "blockFollowsWord",
                    c -> i -> {
                        c.fill(0, BLOCK_WORDS, i);
                        c.round
                                .write(c.region(), FLAG, i)
                                .write(c.region(), BLOCK, BLOCK_BYTES, c.here, 0)
                                .post()
                                .await();
                    },
                    c -> () -> {
                        c.round
                                .read(c.region(), BLOCK, BLOCK_BYTES, c.here, 0)
                                .read(c.region(), FLAG, 8, c.here, 1024)
                                .post()
                                .await();
                        long newest = c.greatest(0, BLOCK_WORDS);
                        assertTrue(
                                c.landed(1024) >= newest,
                                "block has " + newest + " when the word has " + c.landed(1024));
                        return c.landed(1024) > c.min(0, BLOCK_WORDS);
                    });
        }
    }

    /** WRITE, READ in one round: a READ sees what its own connection wrote before. */
    @Test
    default void readSeesTheWriteBeforeIt() {
        story(c -> {
            for (int i = 1; i <= 500; i++) {
                c.fill(0, BLOCK_WORDS, i);
                c.round
                        .write(c.region(), BLOCK, BLOCK_BYTES, c.here, 0)
                        .read(c.region(), BLOCK, BLOCK_BYTES, c.here, 1024)
                        .post()
                        .await();

                assertEquals(i, c.min(1024, BLOCK_WORDS));
                assertEquals(i, c.greatest(1024, BLOCK_WORDS));
            }
        });
    }

    /** WRITE, READ between two clients, each in one round: that both miss the other's write is forbidden. */
    @Test
    default void readFollowsWrite() {
        try (ContractPool pool = pool()) {
            Litmus.dekker(
                    pool,
                    "readFollowsWrite",
                    c -> i -> writeThenRead(c, FLAG, BLOCK, i),
                    c -> i -> writeThenRead(c, BLOCK, FLAG, i));
        }
    }

    /** WRITE, ATOMIC: an undo log is written before the lock that follows it is taken. */
    @Test
    default void atomicFollowsWrite() {
        try (ContractPool pool = pool()) {
            Litmus.watch(
                    pool,
                    "atomicFollowsWrite",
                    c -> i -> {
                        c.fill(0, BLOCK_WORDS, i);
                        c.round
                                .write(c.region(), BLOCK, BLOCK_BYTES, c.here, 0)
                                .compareAndSwap(c.region(), FLAG, i - 1, i, c.here, 1024)
                                .post()
                                .await();
                        assertEquals(i - 1, c.landed(1024));
                    },
                    OrderContract::blockIsAsNewAsFlag);
        }
    }

    /** READ, READ: body before version, lock before version. */
    @Test
    default void readFollowsRead() {
        try (ContractPool pool = pool()) {
            Litmus.watch(
                    pool,
                    "readFollowsRead",
                    c -> i -> {
                        c.fill(0, BLOCK_WORDS, i);
                        c.round
                                .write(c.region(), BLOCK, BLOCK_BYTES, c.here, 0)
                                .post()
                                .await();
                        c.put(FLAG, i);
                    },
                    OrderContract::blockIsAsNewAsFlag);
        }
    }

    /** ATOMIC, READ between two clients, each in one round: lock and read share a trip. */
    @Test
    default void readFollowsAtomic() {
        try (ContractPool pool = pool()) {
            Litmus.dekker(
                    pool,
                    "readFollowsAtomic",
                    c -> i -> addThenRead(c, FLAG, BLOCK),
                    c -> i -> addThenRead(c, BLOCK, FLAG));
        }
    }

    /** READ, fenced WRITE: a client that reacts to the WRITE must not change what the READ returns. */
    @Test
    default void fencedWriteFollowsRead() {
        readThen("fencedWriteFollowsRead", VerbKind.WRITE, (c, i) -> c.round.write(c.region(), FLAG, i));
    }

    /** READ, fenced ATOMIC. */
    @Test
    default void fencedAtomicFollowsRead() {
        readThen(
                "fencedAtomicFollowsRead",
                VerbKind.FAA,
                (c, i) -> c.round.fetchAndAdd(c.region(), FLAG, 1, c.here, 1024));
    }

    /** ATOMIC, fenced WRITE. */
    @Test
    default void fencedWriteFollowsAtomic() {
        addThen("fencedWriteFollowsAtomic", VerbKind.WRITE, (c, i) -> c.round.write(c.region(), FLAG, i));
    }

    /** ATOMIC, fenced ATOMIC: tickets are drawn in the order of posting. */
    @Test
    default void fencedAtomicFollowsAtomic() {
        addThen(
                "fencedAtomicFollowsAtomic",
                VerbKind.FAA,
                (c, i) -> c.round.fetchAndAdd(c.region(), FLAG, 1, c.here, 1024));
    }

    /** CHAIN, fenced WRITE: a verb after the fence takes effect after the chained work has ended. */
    @Test
    default void fencedWriteFollowsChain() {
        try (ContractPool pool = pool()) {
            Litmus.watch(
                    pool,
                    "fencedWriteFollowsChain",
                    c -> {
                        ChainedWorkBuilder chain = new ChainedWorkBuilder();
                        int r = c.region().number();
                        return i -> {
                            chain.into(c.here, 0);
                            for (int w = 0; w < BLOCK_WORDS; w++) chain.set(r, BLOCK + w * 8L, i);
                            c.round
                                    .write(c.region(), 16384, chain.end(), c.here, 0)
                                    .chain(c.region(), 16384)
                                    .fence(c.link())
                                    .write(c.region(), FLAG, i)
                                    .post()
                                    .await();
                        };
                    },
                    OrderContract::blockIsAsNewAsFlag);
        }
    }

    /** The order of a connection spans rounds: rounds under way together keep it too. */
    @Test
    default void orderReachesOverRounds() {
        try (ContractPool pool = pool()) {
            Litmus.watch(
                    pool,
                    "orderReachesOverRounds",
                    c -> {
                        Round second = c.lane.round(1);
                        return i -> {
                            c.fill(0, BLOCK_WORDS, i);
                            c.round
                                    .write(c.region(), BLOCK, BLOCK_BYTES, c.here, 0)
                                    .post();
                            second.write(c.region(), FLAG, i).post().await();
                            c.round.await();
                        };
                    },
                    OrderContract::blockIsAsNewAsFlag);
        }
    }

    /** A fence spans rounds as well: it waits for the verbs that earlier rounds have under way on its link. */
    @Test
    default void fenceReachesOverRounds() {
        try (ContractPool pool = pool()) {
            Litmus.watch(
                    pool,
                    "fenceReachesOverRounds",
                    c -> {
                        Round second = c.lane.round(1);
                        return i -> {
                            c.round.fetchAndAdd(c.region(), BLOCK, 1, c.here, 0).post();
                            second.fence(c.link())
                                    .write(c.region(), FLAG, i)
                                    .post()
                                    .await();
                            c.round.await();
                        };
                    },
                    OrderContract::wordIsAsNewAsFlag);
        }
    }

    /** The observer of most tests. It reads the flag first, so the block must be at least as new. */
    private static BooleanSupplier blockIsAsNewAsFlag(ContractClient c) {
        return () -> {
            c.round
                    .read(c.region(), FLAG, 8, c.here, 1024)
                    .read(c.region(), BLOCK, BLOCK_BYTES, c.here, 0)
                    .post()
                    .await();
            long flag = c.landed(1024);
            long oldest = c.min(0, BLOCK_WORDS);
            assertTrue(oldest >= flag, "flag is " + flag + " when part of the block is still " + oldest);
            return c.greatest(0, BLOCK_WORDS) > flag;
        };
    }

    private static BooleanSupplier wordIsAsNewAsFlag(ContractClient c) {
        return () -> {
            c.round
                    .read(c.region(), FLAG, 8, c.here, 1024)
                    .read(c.region(), BLOCK, 8, c.here, 0)
                    .post()
                    .await();
            assertTrue(
                    c.landed(0) >= c.landed(1024),
                    "flag is " + c.landed(1024) + " when the first word is still " + c.landed(0));
            return c.landed(0) > c.landed(1024);
        };
    }

    private static long writeThenRead(ContractClient c, long own, long other, int i) {
        c.round
                .write(c.region(), own, i)
                .read(c.region(), other, 8, c.here, 0)
                .post()
                .await();
        return c.landed(0);
    }

    private static long addThenRead(ContractClient c, long own, long other) {
        c.round
                .fetchAndAdd(c.region(), own, 1, c.here, 8)
                .read(c.region(), other, 8, c.here, 0)
                .post()
                .await();
        return c.landed(0);
    }

    /** Adds the second verb of turn i to the round. */
    interface Second {
        Object add(ContractClient c, int i);
    }

    /** Runs an ATOMIC, then another verb, which must not be seen before it. */
    private void addThen(String name, VerbKind secondKind, Second second) {
        fencedAndFree(
                name,
                VerbKind.FAA,
                secondKind,
                (pool, title, fence) -> Litmus.watch(
                        pool,
                        title,
                        c -> i -> {
                            c.round.fetchAndAdd(c.region(), BLOCK, 1, c.here, 0);
                            if (fence) c.round.fence(c.link());
                            second.add(c, i);
                            c.round.post().await();
                        },
                        OrderContract::wordIsAsNewAsFlag));
    }

    /**
     * Runs a READ of a block, then another verb. The other client copies the flag into the block as soon as it sees it.
     */
    private void readThen(String name, VerbKind secondKind, Second second) {
        fencedAndFree(name, VerbKind.READ, secondKind, (pool, title, fence) -> {
            Function<ContractClient, IntConsumer> reader = c -> i -> {
                c.round.read(c.region(), BLOCK, BLOCK_BYTES, c.here, 0);
                if (fence) c.round.fence(c.link());
                second.add(c, i);
                c.round.post().await();
                long newest = c.greatest(0, BLOCK_WORDS);
                assertTrue(newest < i, "the READ before flag " + i + " brought an answer to flag " + newest);
            };
            Litmus.watch(pool, title, reader, c -> {
                long[] last = {0};
                return () -> {
                    long flag = c.word(FLAG);
                    if (flag == last[0]) return false;
                    last[0] = flag;
                    c.fill(0, BLOCK_WORDS, flag);
                    c.round
                            .write(c.region(), BLOCK, BLOCK_BYTES, c.here, 0)
                            .post()
                            .await();
                    return true;
                };
            });
        });
    }

    /** A litmus test that runs with or without its fence. */
    interface Program {
        void run(ContractPool pool, String title, boolean fence);
    }

    /** Runs the program with the fence and, where the fabric claims the order for free, also without. */
    private void fencedAndFree(String name, VerbKind first, VerbKind second, Program program) {
        try (ContractPool pool = pool()) {
            program.run(pool, name, true);
        }
        try (ContractPool pool = pool()) {
            if (pool.fabric.orders().keeps(first, second)) program.run(pool, name + ", for free", false);
        }
    }
}
