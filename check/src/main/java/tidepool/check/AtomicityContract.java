package tidepool.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import tidepool.base.Waiting;
import tidepool.check.ReferenceRecord.Sight;

/** What happens as one, what may tear, and that an acknowledged verb has happened for everybody. */
interface AtomicityContract extends Stage {
    /** Two words of which no half fits to the other. */
    long ONE = 0x1111_1111_1111_1111L;

    long OTHER = 0xEEEE_EEEE_EEEE_EEEEL;

    /** An aligned word is read and written as one, whether it travels alone or in a block of any length. */
    @Test
    default void wordsNeverTear() {
        for (int words : new int[] {1, 4, 32}) {
            try (Scene scene = scene()) {
                scene.alone(c -> {
                    c.fill(0, words, ONE);
                    c.round.write(c.region(), 64, words * 8L, c.here, 0).post().await();
                });
                Litmus.watch(
                        scene,
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

    /** Sequence numbers and tickets: no addition is lost, and nobody finds the same number as another. */
    @Test
    default void fetchAndAddsOfManyAddUp() {
        try (Scene scene = scene()) {
            int each = scene.world.litmusRounds() / 4;
            long[] found = new long[4 * each];
            several(scene, 4, who -> c -> {
                for (int i = 0; i < each; i++) {
                    c.round.fetchAndAdd(c.region(), 64, 1, c.here, 0).post().await();
                    found[who * each + i] = c.landed(0);
                }
            });

            scene.alone(c -> assertEquals(4L * each, c.word(64)));
            Arrays.sort(found);
            for (int i = 0; i < found.length; i++) assertEquals(i, found[i]);
        }
    }

    /** All atomics are atomic towards each other, the masked ones included. */
    @Test
    default void atomicsOfEveryKindAddUp() {
        try (Scene scene = scene()) {
            int each = scene.world.litmusRounds() / 4;
            several(scene, 4, who -> c -> {
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

            scene.alone(c -> assertEquals(4L * each, c.word(64)));
        }
    }

    /** A lock of one word protects a counter that is read and written by plain verbs. */
    @Test
    default void compareAndSwapExcludes() {
        try (Scene scene = scene()) {
            int each = scene.world.litmusRounds() / 16;
            AtomicLong waits = new AtomicLong();
            several(scene, 3, who -> c -> {
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

            scene.alone(c -> assertEquals(3L * each, c.word(128)));
            Litmus.conclude(scene, "compareAndSwapExcludes", waits.get(), 3L * each);
        }
    }

    /** Acknowledged means applied: two clients that each write, await and only then read cannot both miss the other. */
    @Test
    default void acknowledgedMeansApplied() {
        try (Scene scene = scene()) {
            Litmus.dekker(
                    scene,
                    "acknowledgedMeansApplied",
                    c -> putThenLook(c, scene.client(), 64, 128),
                    c -> putThenLook(c, scene.client(), 128, 64));
        }
    }

    /** Whatever was acknowledged to one is seen by everybody, at once, whichever verb it was. */
    @Test
    default void acknowledgedVerbIsSeenByEverybody() {
        try (Scene scene = scene()) {
            scene.alone(one -> {
                Client other = scene.client();
                Client secondLink = new Client(one.session, scene.capabilities);
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

    /** What one client reads, nobody reads older afterwards: a READ has no memory of its own. */
    @Test
    default void readsNeverGoBack() {
        try (Scene scene = scene()) {
            Litmus.watch(scene, "readsNeverGoBack", c -> i -> c.put(64, i), c -> {
                Client other = scene.client();
                return () -> {
                    long first = c.word(64);
                    long second = other.word(64);
                    assertTrue(second >= first, "read " + first + ", then " + second);
                    return second > first;
                };
            });
        }
    }

    /** Blocks tear; the reference record notices it, always, and readers get through all the same. */
    @Test
    default void tornRecordsAreNeverAccepted() {
        try (Scene scene = scene()) {
            ReferenceRecord record = new ReferenceRecord(28);
            AtomicLong torn = new AtomicLong();
            AtomicLong unfinished = new AtomicLong();
            AtomicLong whole = new AtomicLong();
            Litmus.watch(
                    scene,
                    "tornRecordsAreNeverAccepted",
                    c -> i -> {
                        record.fill(c.here, 0, 7, i);
                        record.write(c.round, c.region(), 4096, c.here, 0);
                        c.round.post().await();
                    },
                    c -> () -> {
                        record.read(c.round, c.region(), 4096, c.here, 0);
                        c.round.post().await();
                        Sight sight = record.sight(c.here, 0);
                        switch (sight) {
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
                        return sight == Sight.TORN || sight == Sight.UNFINISHED;
                    });

            scene.world.note("  of these torn", torn.get(), torn.get() + unfinished.get() + whole.get());
            if (scene.world.tearsForCertain()) assertTrue(torn.get() > 0, "this fabric is said to tear");
            scene.alone(c -> {
                record.read(c.round, c.region(), 4096, c.here, 0);
                c.round.post().await();
                assertEquals(Sight.WHOLE, record.sight(c.here, 0), "whole when the writer has ended");
            });
        }
    }

    /** Looks through the eyes of another session, so that no order of one's own link helps. */
    private static IntToLongFunction putThenLook(Client writer, Client reader, long own, long other) {
        return i -> {
            writer.put(own, i);
            return reader.word(other);
        };
    }

    private static void seenBy(long expected, Runnable act, Client... others) {
        act.run();
        for (Client other : others) assertEquals(expected, other.word(64));
    }

    /** Adds one by CAS, as clients without FAA do. */
    private static void increment(Client c, boolean masked) {
        long expected = c.word(64);
        while (true) {
            if (masked) c.round.maskedCompareAndSwap(c.region(), 64, expected, -1, expected + 1, -1, c.here, 0);
            else c.round.compareAndSwap(c.region(), 64, expected, expected + 1, c.here, 0);
            c.round.post().await();
            if (c.landed(0) == expected) return;
            expected = c.landed(0);
        }
    }

    /** Takes a lock; returns 1 if somebody else had it. */
    private static int lock(Client c, long at, long owner) {
        for (int i = 0; i < 1_000_000; i++) {
            c.round.compareAndSwap(c.region(), at, 0, owner, c.here, 0).post().await();
            if (c.landed(0) == 0) return i == 0 ? 0 : 1;
            if (i < 1000) Waiting.spin();
            else Waiting.pause(50_000);
        }
        throw new AssertionError("the lock was never free again; its word is " + c.landed(0));
    }

    /** What the n-th of several clients does. */
    interface Part {
        Consumer<Client> of(int who);
    }

    private static void several(Scene scene, int clients, Part part) {
        Litmus.Together together = new Litmus.Together(clients);
        Runnable[] bodies = new Runnable[clients];
        for (int i = 0; i < clients; i++) {
            Consumer<Client> body = part.of(i);
            bodies[i] = () -> {
                Client c = scene.client();
                together.begin();
                body.accept(c);
            };
        }
        scene.run(bodies);
    }
}
