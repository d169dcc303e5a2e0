package tidepool.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Coroutine.Kind;

/**
 * Continuations that continue and stop without the surrounding work of the JDK. They do so from the second turn on, so
 * each test waits first.
 */
class DirectSwitchTest {
    private static final int COROUTINES = 64;
    private static final int DEEPEST = 150;
    private static final int TURNS = 3_000;

    private final List<String> trace = new ArrayList<>();
    private Coroutine coroutine;

    /** The build opens the package as the launcher does; if this fails, the other tests test something else. */
    @BeforeEach
    void isDirectHere() {
        assertTrue(ContinuationCoroutine.isDirect());
    }

    private static Coroutine of(Runnable body) {
        return Coroutine.of("test", body, Kind.CONTINUATION);
    }

    private static final class Initializing {
        static Coroutine coroutine;

        static final class Waiting {
            static final int VALUE;

            static {
                coroutine.suspend();
                VALUE = 1;
            }
        }
    }

    @Test
    void waitingInAClassInitializerIsReported() {
        coroutine = Initializing.coroutine = of(() -> {
            coroutine.suspend();
            assertEquals(1, Initializing.Waiting.VALUE);
        });

        assertFalse(coroutine.resume());
        assertTrue(coroutine.resume());
        assertInstanceOf(ExceptionInInitializerError.class, coroutine.failure());
        assertInstanceOf(InvariantException.class, coroutine.failure().getCause());
    }

    @Test
    void oneWithinAnotherStopsAlone() {
        Coroutine[] inner = new Coroutine[1];
        inner[0] = of(() -> {
            for (int i = 0; i < 4; i++) {
                trace.add("inner " + i);
                inner[0].suspend();
            }
        });
        coroutine = of(() -> {
            for (int i = 0; i < 2; i++) {
                inner[0].resume();
                inner[0].resume();
                trace.add("outer " + i);
                coroutine.suspend();
            }
        });
        while (!coroutine.resume()) trace.add("out");

        assertEquals(List.of("inner 0", "inner 1", "outer 0", "out", "inner 2", "inner 3", "outer 1", "out"), trace);
        assertNull(coroutine.failure());
    }

    /** A virtual thread is a continuation itself and has to stop as a whole. */
    @Test
    void whoIsTakenOverByAVirtualThreadGoesOnThere() throws InterruptedException {
        coroutine = of(() -> {
            for (int i = 0; i < 6; i++) {
                trace.add((Thread.currentThread().isVirtual() ? "virtual " : "platform ") + i);
                coroutine.suspend();
            }
        });
        coroutine.resume();
        coroutine.resume();
        Thread.startVirtualThread(() -> {
                    coroutine.resume();
                    Thread.yield();
                    coroutine.resume();
                })
                .join();
        coroutine.resume();
        coroutine.resume();

        assertEquals(List.of("platform 0", "platform 1", "virtual 2", "virtual 3", "platform 4", "platform 5"), trace);
        assertTrue(coroutine.resume());
        assertNull(coroutine.failure());
    }

    @Test
    void whatIsThrownKnowsWhereItCameFrom() {
        coroutine = of(this::waitAndThrow);
        assertFalse(coroutine.resume());
        assertTrue(coroutine.resume());

        StackTraceElement[] frames = coroutine.failure().getStackTrace();
        assertEquals("waitAndThrow", frames[0].getMethodName());
        assertTrue(
                List.of(frames).stream()
                        .anyMatch(frame -> frame.getMethodName().equals("whatIsThrownKnowsWhereItCameFrom")),
                "down to whoever resumed it");
    }

    private void waitAndThrow() {
        coroutine.suspend();
        throw new IllegalStateException("boom");
    }

    /** Stacks of all depths, moved by the collector and inspected from outside while they are switched. */
    @Test
    void stacksSurviveCollectionsAndThreadDumps() throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong dumps = new AtomicLong();
        Thread disturber = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                if (Thread.getAllStackTraces().isEmpty()) throw new IllegalStateException("nobody runs");
                if (dumps.incrementAndGet() % 8 == 0) System.gc();
            }
        });
        List<Climber> climbers = new ArrayList<>();
        for (int i = 0; i < COROUTINES; i++) climbers.add(new Climber(i));
        try {
            for (int turn = 0; turn < TURNS || dumps.get() < 32; turn++)
                for (Climber climber : climbers) assertFalse(climber.coroutine.resume());
        } finally {
            over.set(true);
            disturber.join();
        }
        for (Climber climber : climbers) {
            climber.stop = true;
            assertTrue(climber.coroutine.resume());
            assertNull(climber.coroutine.failure());
            assertTrue(climber.turns >= TURNS);
        }
    }

    /** A coroutine that calls itself, waits on the way, and finds its values again in each frame. */
    private static final class Climber {
        private final Coroutine coroutine = of(this::climb);
        private final int seed;
        private boolean stop;
        private int turns;

        Climber(int seed) {
            this.seed = seed;
        }

        private void climb() {
            while (!stop) climb((seed * 31 + turns) % DEEPEST);
        }

        private void climb(int height) {
            String mine = seed + "/" + turns + "/" + height;
            int before = turns;
            if (height > 0) climb(height - 1);
            if (height % 7 == 0 && !stop) {
                turns++;
                coroutine.suspend();
            }
            if (!mine.equals(seed + "/" + before + "/" + height)) throw new IllegalStateException(mine);
        }
    }
}
