package tidepool.contracts;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.IntToLongFunction;
import tidepool.base.Waiting;

/**
 * Small programs of two clients whose forbidden outcome would show a broken order. They count how often the two clients
 * really overlapped, and try again if that was in less than a hundredth of their turns: a litmus test without overlap
 * has shown nothing.
 */
final class Litmus {
    private static final int MAX_TRIES = 5;

    private Litmus() {}

    /**
     * Runs a writer that takes its turns 1, 2, 3 … and an observer that looks until the writer has ended. A look
     * asserts what must hold, and returns whether it fell between the effects of one turn.
     */
    static void watch(
            ContractPool pool,
            String name,
            Function<ContractClient, IntConsumer> writer,
            Function<ContractClient, BooleanSupplier> observer) {
        AtomicLong looks = new AtomicLong();
        AtomicLong interesting = new AtomicLong();
        int rounds = pool.world.litmusRounds();
        AtomicInteger turns = new AtomicInteger();
        for (int attempt = 0; attempt < MAX_TRIES && interesting.get() < rounds / 100; attempt++) {
            Together together = new Together(2);
            pool.run(
                    together.body(() -> {
                        IntConsumer turn = writer.apply(pool.client());
                        together.begin();
                        // A writer that is too fast for the observer takes up to MAX_TRIES times as many turns.
                        for (int i = 0; i < rounds || i < MAX_TRIES * rounds && looks.get() < rounds / 20; i++)
                            turn.accept(turns.incrementAndGet());
                    }),
                    together.body(() -> {
                        BooleanSupplier look = observer.apply(pool.client());
                        together.begin();
                        do {
                            looks.incrementAndGet();
                            if (look.getAsBoolean()) interesting.incrementAndGet();
                        } while (!together.anyEnded());
                    }));
        }
        conclude(pool, name, interesting.get(), looks.get());
    }

    /**
     * Store buffering. In turn i each side writes i into its own word and then reads the other's; that both miss the
     * other's write is forbidden. If A in turn i saw only k, then B's write k+1 came after that look, so B's look of
     * turn k+1 must see at least i.
     */
    static void dekker(
            ContractPool pool,
            String name,
            Function<ContractClient, IntToLongFunction> left,
            Function<ContractClient, IntToLongFunction> right) {
        int rounds = pool.world.litmusRounds();
        long interesting = 0;
        for (int attempt = 0; attempt < MAX_TRIES && interesting < rounds / 100; attempt++) {
            int base = attempt * rounds;
            long[] leftSaw = new long[rounds + 1];
            long[] rightSaw = new long[rounds + 1];
            Together together = new Together(2);
            pool.run(side(pool, together, left, leftSaw, base), side(pool, together, right, rightSaw, base));
            for (int i = 1; i <= rounds; i++) {
                int next = (int) Math.max(0, leftSaw[i] - base) + 1;
                if (next > rounds) continue;
                if (next > 1 && leftSaw[i] != leftSaw[i - 1]) interesting++;
                assertTrue(
                        rightSaw[next] >= base + i,
                        name + ": both missed the other: left wrote " + (base + i) + " and saw " + leftSaw[i]
                                + ", right wrote " + (base + next) + " and saw " + rightSaw[next]);
            }
        }
        conclude(pool, name, interesting, rounds);
    }

    private static Runnable side(
            ContractPool pool,
            Together together,
            Function<ContractClient, IntToLongFunction> program,
            long[] saw,
            int base) {
        return together.body(() -> {
            IntToLongFunction turn = program.apply(pool.client());
            together.begin();
            for (int i = 1; i < saw.length; i++) saw[i] = turn.applyAsLong(base + i);
        });
    }

    static void conclude(ContractPool pool, String name, long interesting, long looks) {
        pool.world.note(name, interesting, looks);
        if (pool.world.overlapsForCertain()) assertTrue(interesting > 0, name + " never saw an overlap");
    }

    /** Bodies that begin together, and notice when one of them has ended. */
    static final class Together {
        private final AtomicInteger missing;
        private final AtomicBoolean anyEnded = new AtomicBoolean();

        Together(int bodies) {
            missing = new AtomicInteger(bodies);
        }

        Runnable body(Runnable body) {
            return () -> {
                try {
                    body.run();
                } finally {
                    anyEnded.set(true);
                }
            };
        }

        /** Waits for the other bodies, unless one of them failed before it got here. */
        void begin() {
            missing.decrementAndGet();
            while (missing.get() > 0 && !anyEnded.get()) Waiting.pause(1_000);
        }

        boolean anyEnded() {
            return anyEnded.get();
        }
    }
}
