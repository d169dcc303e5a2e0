package tidepool.base;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.BiFunction;
import tidepool.base.Coroutine.Kind;

/**
 * A benchmark of strand switches, for decision 0001: nanoseconds and bytes per resume and suspend, round robin over 64
 * strands, median of seven rounds after three warm-up rounds. Bytes are those of the measuring thread, and the JDK does
 * not count them for virtual threads. After {@code mvn -pl core/base test-compile}, with the java of JDK 25:
 *
 * <pre>
 *   java --add-opens java.base/jdk.internal.vm=ALL-UNNAMED \
 *        -cp core/base/target/classes:core/base/target/test-classes tidepool.base.StrandCosts
 * </pre>
 */
final class StrandCosts {
    private static final int STRANDS = 64;
    private static final int WARM_UPS = 3;
    private static final int ROUNDS = 7;
    private static final int FAST = 1_000_000; // switches per round
    private static final int SLOW = 20_000; // switches per round, if a switch goes through the kernel
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static long sink;

    private StrandCosts() {}

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println(
                "java " + Runtime.version() + ", " + Runtime.getRuntime().availableProcessors() + " cores");
        System.out.printf(Locale.ROOT, "%-62s %10s %12s%n", "median of " + ROUNDS, "nanos", "bytes");
        explicitSteps();
        for (int frames : new int[] {1, 5, 20, 60}) {
            coroutines("continuation, frames=" + frames, frames, FAST, continuation());
        }
        continuationsAfterCollections();
        strandsGiveWay(Kind.CONTINUATION, FAST);
        strandsWakeEachOther(Kind.CONTINUATION, FAST);
        creation(Kind.CONTINUATION, 100_000);
        coroutines("threads, baton, all platform threads", 1, SLOW, thread());
        Thread.ofVirtual()
                .start(() -> coroutines("threads, baton, all virtual", 1, FAST, thread()))
                .join();
        strandsGiveWay(Kind.THREAD, FAST);
        strandsWakeEachOther(Kind.THREAD, FAST);
        creation(Kind.THREAD, 2_000);
        Thread.ofVirtual().start(() -> creation(Kind.THREAD, 20_000)).join();
        if (sink == 42) System.out.println();
    }

    /** The alternative without stacks: each protocol phase cut into steps of a state machine by hand. */
    private static void explicitSteps() {
        Step[] steps = new Step[STRANDS];
        for (int i = 0; i < STRANDS; i++)
            steps[i] = switch (i % 4) {
                case 0 -> new LockStep();
                case 1 -> new ReadStep();
                case 2 -> new ValidateStep();
                default -> new CommitStep();
            };
        measure("explicit steps, four kinds behind an interface", FAST, () -> {
            for (int turn = 0; turn < FAST; turn++) steps[turn % STRANDS].step();
        });
        for (Step step : steps) sink += step.taken();
    }

    private static void coroutines(
            String what, int frames, int switches, BiFunction<String, Runnable, Coroutine> make) {
        Coroutine[] all = looping(frames, make);
        measure(what, switches, () -> roundRobin(all, switches));
        for (Coroutine coroutine : all) coroutine.abandon();
    }

    /** A stack that was copied to the heap and then survived a collection cannot be overwritten; a new copy is made. */
    private static void continuationsAfterCollections() {
        Coroutine[] all = looping(5, continuation());
        int switches = FAST / 100;
        measure(
                "continuation, frames=5, a collection every 10000 switches",
                switches,
                System::gc,
                () -> roundRobin(all, switches));
    }

    private static Coroutine[] looping(int frames, BiFunction<String, Runnable, Coroutine> make) {
        Coroutine[] all = new Coroutine[STRANDS];
        for (int i = 0; i < STRANDS; i++) {
            int me = i;
            all[i] = make.apply("cost-" + i, () -> {
                while (true) suspendUnder(frames - 1, all, me);
            });
        }
        return all;
    }

    private static int suspendUnder(int frames, Coroutine[] all, int me) {
        if (frames > 0) return suspendUnder(frames - 1, all, me) + 1;
        all[me].suspend();
        return 0;
    }

    private static void roundRobin(Coroutine[] all, int switches) {
        for (int turn = 0; turn < switches; turn++) all[turn % STRANDS].resume();
    }

    /** The whole path: giveWay, queue, resume. */
    private static void strandsGiveWay(Kind kind, int switches) {
        measure("strands on a carrier, giveWay, " + kind, switches, () -> {
            var carrier = new Carrier(kind);
            for (int i = 0; i < STRANDS; i++)
                carrier.start("cost", () -> {
                    for (int turn = 0; turn < switches / STRANDS; turn++) Strand.giveWay();
                });
            carrier.run();
        });
    }

    /** The whole path of a completion: unpark the next strand, park with a time-out. */
    private static void strandsWakeEachOther(Kind kind, int switches) {
        measure("strands on a carrier, unpark the next, parkFor, " + kind, switches, () -> {
            var carrier = new Carrier(kind);
            Strand[] ring = new Strand[STRANDS];
            for (int i = 0; i < STRANDS; i++) {
                int next = (i + 1) % STRANDS;
                ring[i] = carrier.start("cost", () -> {
                    for (int turn = 0; turn < switches / STRANDS; turn++) {
                        ring[next].unpark();
                        carrier.parkFor(1_000_000_000);
                    }
                    ring[next].unpark();
                });
            }
            carrier.run();
        });
    }

    private static void creation(Kind kind, int count) {
        String on = Thread.currentThread().isVirtual() ? ", on a virtual thread" : "";
        measure("create, suspend once, end, " + kind + on, count, () -> {
            for (int i = 0; i < count; i++) {
                Coroutine[] one = new Coroutine[1];
                one[0] = Coroutine.of("cost", () -> one[0].suspend(), kind);
                one[0].resume();
                one[0].resume();
            }
        });
    }

    private static BiFunction<String, Runnable, Coroutine> continuation() {
        return (name, body) -> Coroutine.of(name, body, Kind.CONTINUATION);
    }

    private static BiFunction<String, Runnable, Coroutine> thread() {
        return (name, body) -> Coroutine.of(name, body, Kind.THREAD);
    }

    private static void measure(String what, int operations, Runnable round) {
        measure(what, operations, () -> {}, round);
    }

    private static void measure(String what, int operations, Runnable before, Runnable round) {
        double[] nanos = new double[ROUNDS];
        double[] bytes = new double[ROUNDS];
        for (int i = -WARM_UPS; i < ROUNDS; i++) {
            before.run();
            long startBytes =
                    THREADS.getThreadAllocatedBytes(Thread.currentThread().threadId());
            long startNanos = System.nanoTime();
            round.run();
            long endNanos = System.nanoTime();
            long endBytes =
                    THREADS.getThreadAllocatedBytes(Thread.currentThread().threadId());
            if (i < 0) continue;
            nanos[i] = (double) (endNanos - startNanos) / operations;
            bytes[i] = (double) (endBytes - startBytes) / operations;
        }
        Arrays.sort(nanos);
        Arrays.sort(bytes);
        System.out.printf(Locale.ROOT, "%-62s %10.1f %12.2f%n", what, nanos[ROUNDS / 2], bytes[ROUNDS / 2]);
    }

    private interface Step {
        void step();

        long taken();
    }

    private abstract static class Counting implements Step {
        long taken;

        @Override
        public final long taken() {
            return taken;
        }
    }

    private static final class LockStep extends Counting {
        @Override
        public void step() {
            taken += 1;
        }
    }

    private static final class ReadStep extends Counting {
        @Override
        public void step() {
            taken += 2;
        }
    }

    private static final class ValidateStep extends Counting {
        @Override
        public void step() {
            taken += 3;
        }
    }

    private static final class CommitStep extends Counting {
        @Override
        public void step() {
            taken += 4;
        }
    }
}
