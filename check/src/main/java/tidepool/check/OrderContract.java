package tidepool.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import tidepool.fabric.Orders;
import tidepool.fabric.Round;
import tidepool.fabric.VerbKind;
import tidepool.memory.ChainBuilder;

/**
 * The order of verbs on one connection. Rows are the first verb, columns the second; kept without a fence (x), or only if
 * the second carries one (F). Whatever a fabric claims to keep beyond that is put to the same test without the fence.
 *
 * <pre>
 *              SEND   WRITE   READ   ATOMIC
 *   SEND        x      x       x      x
 *   WRITE       x      x       x      x
 *   READ        F      F       x      F
 *   ATOMIC      F      F       x      F
 * </pre>
 *
 * An order means every word of the first verb before any word of the second, so the first verb of the litmus tests is a
 * block wherever it can be one.
 */
interface OrderContract extends Stage {
    /** Where the block of the first verb lies, and how long it is. */
    long BLOCK = 4096;

    int BLOCK_WORDS = 32;
    long BLOCK_BYTES = BLOCK_WORDS * 8L;

    /** Where the word of the second verb lies. */
    long FLAG = 512;

    /** Protocols are written against this table; a fabric may keep more, never less. */
    @Test
    default void ordersAreAtLeastThoseOfRdma() {
        try (FabricWorld world = open(1, true)) {
            for (VerbKind first : VerbKind.values())
                for (VerbKind second : VerbKind.values())
                    assertTrue(
                            !Orders.RDMA.keeps(first, second)
                                    || world.fabric().orders().keeps(first, second),
                            first + " then " + second);
        }
    }

    /** WRITE, WRITE: log before data, data before release. */
    @Test
    default void writeFollowsWrite() {
        try (Scene scene = scene()) {
            Litmus.watch(
                    scene,
                    "writeFollowsWrite",
                    c -> i -> {
                        c.fill(0, BLOCK_WORDS, i);
                        c.round
                                .write(c.region(), BLOCK, BLOCK_BYTES, c.here, 0)
                                .write(c.region(), FLAG, i)
                                .post()
                                .await();
                    },
                    OrderContract::blockIsNotBehindFlag);
        }
    }

    /** The same between a word and a block, the other way round. */
    @Test
    default void blockFollowsWord() {
        try (Scene scene = scene()) {
            Litmus.watch(
                    scene,
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
                        return c.landed(1024) > c.least(0, BLOCK_WORDS);
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

                assertEquals(i, c.least(1024, BLOCK_WORDS));
                assertEquals(i, c.greatest(1024, BLOCK_WORDS));
            }
        });
    }

    /** WRITE, READ between two clients, each in one round: that both miss the other's write is forbidden. */
    @Test
    default void readFollowsWrite() {
        try (Scene scene = scene()) {
            Litmus.dekker(
                    scene,
                    "readFollowsWrite",
                    c -> i -> writeThenRead(c, FLAG, BLOCK, i),
                    c -> i -> writeThenRead(c, BLOCK, FLAG, i));
        }
    }

    /** WRITE, ATOMIC: an undo log is written before the lock behind it is taken. */
    @Test
    default void atomicFollowsWrite() {
        try (Scene scene = scene()) {
            Litmus.watch(
                    scene,
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
                    OrderContract::blockIsNotBehindFlag);
        }
    }

    /** READ, READ: body before version, lock before version. */
    @Test
    default void readFollowsRead() {
        try (Scene scene = scene()) {
            Litmus.watch(
                    scene,
                    "readFollowsRead",
                    c -> i -> {
                        c.fill(0, BLOCK_WORDS, i);
                        c.round
                                .write(c.region(), BLOCK, BLOCK_BYTES, c.here, 0)
                                .post()
                                .await();
                        c.put(FLAG, i);
                    },
                    OrderContract::blockIsNotBehindFlag);
        }
    }

    /** ATOMIC, READ between two clients, each in one round: lock and read share a trip. */
    @Test
    default void readFollowsAtomic() {
        try (Scene scene = scene()) {
            Litmus.dekker(
                    scene,
                    "readFollowsAtomic",
                    c -> i -> addThenRead(c, FLAG, BLOCK),
                    c -> i -> addThenRead(c, BLOCK, FLAG));
        }
    }

    /** READ, fenced WRITE: whoever reacts to the WRITE must not change what the READ brings. */
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

    /** CHAIN, fenced WRITE: what is behind the fence knows that the work is over. */
    @Test
    default void fencedWriteFollowsChain() {
        try (Scene scene = scene()) {
            Litmus.watch(
                    scene,
                    "fencedWriteFollowsChain",
                    c -> {
                        ChainBuilder chain = new ChainBuilder();
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
                    OrderContract::blockIsNotBehindFlag);
        }
    }

    /** The order of a connection does not end with a round: rounds under way together keep it too. */
    @Test
    default void orderReachesOverRounds() {
        try (Scene scene = scene()) {
            Litmus.watch(
                    scene,
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
                    OrderContract::blockIsNotBehindFlag);
        }
    }

    /** Nor does a fence: it waits for what earlier rounds have under way on its link. */
    @Test
    default void fenceReachesOverRounds() {
        try (Scene scene = scene()) {
            Litmus.watch(
                    scene,
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
                    OrderContract::wordIsNotBehindFlag);
        }
    }

    /** The observer of most tests: it reads the flag first, so the block must be at least as new. */
    private static BooleanSupplier blockIsNotBehindFlag(Client c) {
        return () -> {
            c.round
                    .read(c.region(), FLAG, 8, c.here, 1024)
                    .read(c.region(), BLOCK, BLOCK_BYTES, c.here, 0)
                    .post()
                    .await();
            long flag = c.landed(1024);
            long oldest = c.least(0, BLOCK_WORDS);
            assertTrue(oldest >= flag, "flag is " + flag + " when part of the block is still " + oldest);
            return c.greatest(0, BLOCK_WORDS) > flag;
        };
    }

    private static BooleanSupplier wordIsNotBehindFlag(Client c) {
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

    private static long writeThenRead(Client c, long own, long other, int i) {
        c.round
                .write(c.region(), own, i)
                .read(c.region(), other, 8, c.here, 0)
                .post()
                .await();
        return c.landed(0);
    }

    private static long addThenRead(Client c, long own, long other) {
        c.round
                .fetchAndAdd(c.region(), own, 1, c.here, 8)
                .read(c.region(), other, 8, c.here, 0)
                .post()
                .await();
        return c.landed(0);
    }

    /** Adds the second verb of turn i to the round. */
    interface Second {
        Object add(Client c, int i);
    }

    /** ATOMIC, then another verb, which must not be seen before it. */
    private void addThen(String name, VerbKind secondKind, Second second) {
        fencedAndFree(
                name,
                VerbKind.FAA,
                secondKind,
                (scene, title, fence) -> Litmus.watch(
                        scene,
                        title,
                        c -> i -> {
                            c.round.fetchAndAdd(c.region(), BLOCK, 1, c.here, 0);
                            if (fence) c.round.fence(c.link());
                            second.add(c, i);
                            c.round.post().await();
                        },
                        OrderContract::wordIsNotBehindFlag));
    }

    /** READ of a block, then another verb; the other side copies the flag into the block as soon as it sees it. */
    private void readThen(String name, VerbKind secondKind, Second second) {
        fencedAndFree(name, VerbKind.READ, secondKind, (scene, title, fence) -> {
            Function<Client, IntConsumer> reader = c -> i -> {
                c.round.read(c.region(), BLOCK, BLOCK_BYTES, c.here, 0);
                if (fence) c.round.fence(c.link());
                second.add(c, i);
                c.round.post().await();
                long newest = c.greatest(0, BLOCK_WORDS);
                assertTrue(newest < i, "the READ before flag " + i + " brought an answer to flag " + newest);
            };
            Litmus.watch(scene, title, reader, c -> {
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

    /** A litmus test with or without its fence. */
    interface Program {
        void run(Scene scene, String title, boolean fence);
    }

    /** With the fence, and where the fabric claims the order for free, also without. */
    private void fencedAndFree(String name, VerbKind first, VerbKind second, Program program) {
        try (Scene scene = scene()) {
            program.run(scene, name, true);
        }
        try (Scene scene = scene()) {
            if (scene.fabric.orders().keeps(first, second)) program.run(scene, name + ", for free", false);
        }
    }
}
