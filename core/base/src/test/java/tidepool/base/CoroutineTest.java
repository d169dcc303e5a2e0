package tidepool.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.base.Coroutine.Kind;

/** The behaviour of both kinds of coroutine. */
class CoroutineTest {
    private final List<String> trace = new ArrayList<>();
    private Coroutine coroutine;

    private Coroutine of(Kind kind, Runnable body) {
        return coroutine = Coroutine.of("test", body, kind);
    }

    /** The build starts the JVM as the launcher does; if this fails, all other tests measure the fallback twice. */
    @Test
    void continuationsAreReachableHere() {
        assertTrue(ContinuationCoroutine.isReachable());
        assertEquals(Kind.CONTINUATION, Kind.preferred());
    }

    /** A continuation inside a virtual thread pins it, so threads are chosen there. */
    @Test
    void onVirtualThreadsThreadsArePreferred() throws InterruptedException {
        List<Kind> found = new ArrayList<>();
        Thread.startVirtualThread(() -> found.add(Kind.preferred())).join();

        assertEquals(List.of(Kind.THREAD), found);
    }

    @ParameterizedTest
    @EnumSource
    void stopsInTheMiddleAndGoesOn(Kind kind) {
        of(kind, () -> {
            trace.add("a");
            coroutine.suspend();
            trace.add("b");
        });

        assertEquals(List.of(), trace);
        assertFalse(coroutine.resume());
        assertEquals(List.of("a"), trace);
        assertTrue(coroutine.resume());
        assertEquals(List.of("a", "b"), trace);
        assertTrue(coroutine.resume());
        assertNull(coroutine.failure());
    }

    @ParameterizedTest
    @EnumSource
    void failureOfTheBodyIsKept(Kind kind) {
        var boom = new IllegalStateException("boom");
        of(kind, () -> {
            coroutine.suspend();
            throw boom;
        });

        assertFalse(coroutine.resume());
        assertTrue(coroutine.resume());
        assertSame(boom, coroutine.failure());
    }

    /** A crash runs nothing after the wait, not even a wait in a finally block. */
    @ParameterizedTest
    @EnumSource
    void abandonedNeverGoesOn(Kind kind) {
        of(kind, () -> {
            try {
                coroutine.suspend();
                trace.add("went on");
            } finally {
                coroutine.suspend();
                trace.add("waited while unwinding");
            }
        });
        coroutine.resume();
        coroutine.abandon();

        assertTrue(coroutine.resume());
        assertEquals(List.of(), trace);
        assertNull(coroutine.failure());
    }

    /** A thread must end. Otherwise a long simulation with many crashes runs out of threads. */
    @Test
    void abandonedThreadIsUnwoundToItsEnd() {
        of(Kind.THREAD, () -> {
            try {
                coroutine.suspend();
            } finally {
                try {
                    coroutine.suspend();
                } finally {
                    trace.add("unwound");
                }
            }
        });
        coroutine.resume();
        coroutine.abandon();

        assertEquals(List.of("unwound"), trace);
    }

    @ParameterizedTest
    @EnumSource
    void abandoningItselfDoesNotReturn(Kind kind) {
        of(kind, () -> {
            coroutine.abandon();
            trace.add("went on");
        });

        assertTrue(coroutine.resume());
        assertTrue(coroutine.resume());
        assertEquals(List.of(), trace);
        assertNull(coroutine.failure());
    }

    @ParameterizedTest
    @EnumSource
    void abandonedBeforeItsStartNeverStarts(Kind kind) {
        of(kind, () -> trace.add("started"));
        coroutine.abandon();

        assertTrue(coroutine.resume());
        assertEquals(List.of(), trace);
    }

    private static Coroutine initializing;

    private static final class Initializing {
        static final int VALUE;

        static {
            initializing.suspend();
            VALUE = 1;
        }
    }

    /** A class initializer runs under a native frame, which cannot be copied to the heap; this must be reported. */
    @Test
    void waitingInsideClassInitializerIsReported() {
        initializing = Coroutine.of("initializing", () -> assertEquals(1, Initializing.VALUE), Kind.CONTINUATION);

        assertTrue(initializing.resume());
        Throwable failure = initializing.failure();
        assertInstanceOf(ExceptionInInitializerError.class, failure);
        assertInstanceOf(InvariantException.class, failure.getCause());
        assertTrue(failure.getCause().getMessage().contains("class initializer"));
    }

    @ParameterizedTest
    @EnumSource
    void resumingARunningOneIsRefused(Kind kind) {
        of(kind, () -> coroutine.resume());

        assertTrue(coroutine.resume());
        assertInstanceOf(InvariantException.class, coroutine.failure());
    }

    /**
     * The JVM of an application that embeds Tidepool has no flag: strands must work there, in the same order as here.
     */
    @Test
    void withoutTheFlagThreadsGiveTheSameTrace() throws Exception {
        String expected = "THREAD " + TokenProgram.trace(7, Kind.CONTINUATION).hashCode();

        assertEquals(expected, EmbeddedMain.runInItsOwnJvm());
    }

    @Test
    void askingForWhatCannotBeReachedSaysWhatToDo() throws Exception {
        String said = EmbeddedMain.runInItsOwnJvm("-Dtidepool.strands=continuation");

        assertEquals(
                "strands cannot use continuations; start the JVM with --add-opens"
                        + " java.base/jdk.internal.vm=ALL-UNNAMED or choose -Dtidepool.strands=thread",
                said);
    }

    /**
     * If the package is exported, continuations work; if it is open, they are faster. Their behaviour does not differ.
     */
    @Test
    void theFlagsAreEnoughForContinuations() throws Exception {
        String expected = "CONTINUATION " + TokenProgram.trace(7, Kind.THREAD).hashCode();

        assertEquals(expected, EmbeddedMain.runInItsOwnJvm("--add-exports", "java.base/jdk.internal.vm=ALL-UNNAMED"));
        assertEquals(
                expected + " direct",
                EmbeddedMain.runInItsOwnJvm("--add-opens", "java.base/jdk.internal.vm=ALL-UNNAMED"));
    }
}
