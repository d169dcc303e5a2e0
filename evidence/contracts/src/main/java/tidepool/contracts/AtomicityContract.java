package tidepool.contracts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import tidepool.base.Waiting;
import tidepool.sim.ReferenceRecord;
import tidepool.sim.ReferenceRecord.View;

/**
 * Contract tests of atomicity: which effects happen as one, which may tear, and that an acknowledged verb has taken
 * effect for all sessions.
 */
interface AtomicityContract extends ContractBase {
    /** Two words whose halves all differ, so that a mixture of the two is detected. */
    long ONE = 0x1111_1111_1111_1111L;

    long OTHER = 0xEEEE_EEEE_EEEE_EEEEL;

    /** An aligned word is read and written as one, whether it travels alone or in a block of any length. */
    @Test
    default void wordsNeverTear() {
        for (int words : new int[] {1, 4, 32}) {
            try (ContractPool pool = pool()) {
                pool.alone(c -> {
                    c.fill(0, words, ONE);
                    c.round.write(c.region(), 64, words * 8L, c.here, 0).post().await();
                });
                Litmus.watch(
                        pool,
                        "wordsNeverTear, " + words + " words",
                        c -> i -> {
                            if (words == 1 && i % 3 == 0) {
                                c.round
                                        .write(c.region(), 64, i % 2 == 0 ? ONE : OTHER)
                                        .post()
                                        .await();
                            } else {
                                c.fill(0, words, i % 2 == 0 ? ONE : OTHER);
                                c.round
                                        .write(c.region(), 64, words * 8L, c.here, 0)
                                        .post()
                                        .await();
                            }
                        },
                        c -> () -> {
                            c.round
                                    .read(c.region(), 64, words * 8L, c.here, 0)
                                    .post()
                                    .await();
                            int ones = 0;
                            for (int i = 0; i < words; i++) {
                                long word = c.landed(i * 8L);
                                assertTrue(word == ONE || word == OTHER, "half a word: " + Long.toHexString(word));
                                if (word == ONE) ones++;
                            }
                            return words == 1 ? ones == 0 : ones > 0 && ones < words;
                        });
            }
        }
    }

    /** Sequence numbers and tickets: no addition is lost, and no two clients find the same number. */
    @Test
    default void fetchAndAddsOfManyAddUp() {
        try (ContractPool pool = pool()) {
            int each = pool.world.litmusRounds() / 4;
            long[] found = new long[4 * each];
            several(pool, 4, who -> c -> {
                for (int i = 0; i < each; i++) {
                    c.round.fetchAndAdd(c.region(), 64, 1, c.here, 0).post().await();
                    found[who * each + i] = c.landed(0);
                }
            });

            pool.alone(c -> assertEquals(4L * each, c.word(64)));
            Arrays.sort(found);
            for (int i = 0; i < found.length; i++) assertEquals(i, found[i]);
        }
    }

    /** All atomics are atomic with respect to each other, the masked ones included. */
    @Test
    default void atomicsOfEveryKindAddUp() {
        try (ContractPool pool = pool()) {
            int each = pool.world.litmusRounds() / 4;
            several(pool, 4, who -> c -> {
                for (int i = 0; i < each; i++) {
                    switch (who) {
                        case 0 ->
                            c.round
                                    .fetchAndAdd(c.region(), 64, 1, null, 0)
                                    .post()
                                    .await();
                        case 1 ->
                            c.round
                                    .maskedFetchAndAdd(c.region(), 64, 1, 1L << 47, null, 0)
                                    .post()
                                    .await();
                        case 2 -> increment(c, false);
                        default -> increment(c, true);
                    }
                }
            });

            pool.alone(c -> assertEquals(4L * each, c.word(64)));
        }
    }

    /** A lock of one word protects a counter that is read and written by plain verbs. */
    @Test
    default void compareAndSwapExcludes() {
        try (ContractPool pool = pool()) {
            int each = pool.world.litmusRounds() / 8;
            AtomicLong waits = new AtomicLong();
            several(pool, 3, who -> c -> {
                for (int i = 0; i < each; i++) {
                    waits.addAndGet(lock(c, 64, who + 1L));
                    c.put(128, c.word(128) + 1);
                    c.round
                            .compareAndSwap(c.region(), 64, who + 1L, 0, c.here, 0)
                            .post()
                            .await();
                    assertEquals(who + 1L, c.landed(0), "somebody else took the lock meanwhile");
                }
            });

            pool.alone(c -> assertEquals(3L * each, c.word(128)));
            Litmus.conclude(pool, "compareAndSwapExcludes", waits.get(), 3L * each);
        }
    }

    /** Acknowledged means applied: two clients that each write, await and only then read cannot both miss the other. */
    @Test
    default void acknowledgedMeansApplied() {
        try (ContractPool pool = pool()) {
            Litmus.dekker(
                    pool,
                    "acknowledgedMeansApplied",
                    c -> putThenLook(c, pool.client(), 64, 128),
                    c -> putThenLook(c, pool.client(), 128, 64));
        }
    }

    /** A verb of any kind that is acknowledged to one session is at once visible to all sessions. */
    @Test
    default void acknowledgedVerbIsVisibleToAllSessions() {
        try (ContractPool pool = pool()) {
            pool.alone(one -> {
                ContractClient other = pool.client();
                ContractClient secondLink = new ContractClient(one.session, pool.capabilities);
                for (int i = 1; i <= 300; i++) {
                    int turn = i;
                    seenBy(i, () -> one.put(64, turn), other, secondLink);
                    seenBy(
                            1000 + i,
                            () -> {
                                one.fill(0, 1, 1000 + turn);
                                one.round
                                        .write(one.region(), 64, 8, one.here, 0)
                                        .post()
                                        .await();
                            },
                            other,
                            secondLink);
                    seenBy(
                            1001 + i,
                            () -> one.round
                                    .fetchAndAdd(one.region(), 64, 1, null, 0)
                                    .post()
                                    .await(),
                            other,
                            secondLink);
                    seenBy(
                            2000 + i,
                            () -> one.round
                                    .compareAndSwap(one.region(), 64, 1001 + turn, 2000 + turn, null, 0)
                                    .post()
                                    .await(),
                            other,
                            secondLink);
                    seenBy(
                            3000 + i,
                            () -> one.round
                                    .write(one.region(), 64, 3000 + turn)
                                    .postInBackground()
                                    .settle(),
                            other,
                            secondLink);
                }
            });
        }
    }

    /** After one client has read a value, no client reads an older one: a READ is not served from a cache. */
    @Test
    default void readsNeverGoBack() {
        try (ContractPool pool = pool()) {
            Litmus.watch(pool, "readsNeverGoBack", c -> i -> c.put(64, i), c -> {
                ContractClient other = pool.client();
                return () -> {
                    long first = c.word(64);
                    long second = other.word(64);
                    assertTrue(second >= first, "read " + first + ", then " + second);
                    return second > first;
                };
            });
        }
    }

    /** Blocks tear. The reference record always detects it, and readers still make progress. */
    @Test
    default void tornRecordsAreNeverAccepted() {
        try (ContractPool pool = pool()) {
            ReferenceRecord record = new ReferenceRecord(28);
            AtomicLong torn = new AtomicLong();
            AtomicLong unfinished = new AtomicLong();
            AtomicLong whole = new AtomicLong();
            Litmus.watch(
                    pool,
                    "tornRecordsAreNeverAccepted",
                    c -> i -> {
                        record.fill(c.here, 0, 7, i);
                        record.write(c.round, c.region(), 4096, c.here, 0);
                        c.round.post().await();
                    },
                    c -> () -> {
                        record.read(c.round, c.region(), 4096, c.here, 0);
                        c.round.post().await();
                        View view = record.view(c.here, 0);
                        switch (view) {
                            case WHOLE -> {
                                whole.incrementAndGet();
                                long writer = c.landed(ReferenceRecord.WRITER);
                                assertEquals(7, c.landed(ReferenceRecord.KEY));
                                for (int i = 0; i < record.words(); i++)
                                    assertEquals(
                                            ReferenceRecord.value(writer, i), c.landed(ReferenceRecord.VALUE + i * 8L));
                            }
                            case TORN -> torn.incrementAndGet();
                            case UNFINISHED -> unfinished.incrementAndGet();
                            case EMPTY -> {}
                        }
                        return view == View.TORN || view == View.UNFINISHED;
                    });

            pool.world.note("  of these torn", torn.get(), torn.get() + unfinished.get() + whole.get());
            if (pool.world.tearsForCertain()) assertTrue(torn.get() > 0, "this fabric is said to tear");
            pool.alone(c -> {
                record.read(c.round, c.region(), 4096, c.here, 0);
                c.round.post().await();
                assertEquals(View.WHOLE, record.view(c.here, 0), "whole when the writer has ended");
            });
        }
    }

    /** Writes by one session and reads by another, so that the order of one link cannot hide a late effect. */
    private static IntToLongFunction putThenLook(ContractClient writer, ContractClient reader, long own, long other) {
        return i -> {
            writer.put(own, i);
            return reader.word(other);
        };
    }

    private static void seenBy(long expected, Runnable act, ContractClient... others) {
        act.run();
        for (ContractClient other : others) assertEquals(expected, other.word(64));
    }

    /** Adds one by CAS, as a client without FAA does. */
    private static void increment(ContractClient c, boolean masked) {
        long expected = c.word(64);
        while (true) {
            if (masked) c.round.maskedCompareAndSwap(c.region(), 64, expected, -1, expected + 1, -1, c.here, 0);
            else c.round.compareAndSwap(c.region(), 64, expected, expected + 1, c.here, 0);
            c.round.post().await();
            if (c.landed(0) == expected) return;
            expected = c.landed(0);
        }
    }

    /** Takes a lock; returns 1 if another client held it at the first attempt. */
    private static int lock(ContractClient c, long at, long owner) {
        for (int i = 0; i < 1_000_000; i++) {
            c.round.compareAndSwap(c.region(), at, 0, owner, c.here, 0).post().await();
            if (c.landed(0) == 0) return i == 0 ? 0 : 1;
            if (i < 1000) Waiting.spin();
            else Waiting.pause(50_000);
        }
        throw new AssertionError("the lock was never free again; its word is " + c.landed(0));
    }

    /** The program of one of several clients, by its number. */
    interface Part {
        Consumer<ContractClient> of(int who);
    }

    private static void several(ContractPool pool, int clients, Part part) {
        Litmus.Together together = new Litmus.Together(clients);
        Runnable[] bodies = new Runnable[clients];
        for (int i = 0; i < clients; i++) {
            Consumer<ContractClient> body = part.of(i);
            bodies[i] = together.body(() -> {
                ContractClient c = pool.client();
                together.begin();
                body.accept(c);
            });
        }
        pool.run(bodies);
    }
}
