package tidepool.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.base.Coroutine.Kind;

/** Waiting and waking, on a scheduler whose choices follow from a seed. */
class StrandTest {
    private final List<String> trace = new ArrayList<>();

    private void note(String what) {
        trace.add(what);
    }

    @ParameterizedTest
    @EnumSource
    void currentIsTheRunningStrandAndNullOutside(Kind kind) {
        var scheduler = new SeededScheduler(1, kind);
        Strand[] seen = new Strand[2];
        Strand strand = scheduler.start("s", () -> {
            seen[0] = Strand.current();
            scheduler.sleep(5);
            seen[1] = Strand.current();
        });

        assertNull(Strand.current());
        scheduler.run();
        assertSame(strand, seen[0]);
        assertSame(strand, seen[1]);
        assertNull(Strand.current());
        assertTrue(strand.isDone());
    }

    /** A fair strand checks whether others had their turn: a park that returns at once let no other strand run. */
    @ParameterizedTest
    @EnumSource
    void turnsCountTheWaitsThatLetOthersRun(Kind kind) {
        var scheduler = new SeededScheduler(1, kind);
        scheduler.start("s", () -> {
            long first = Strand.current().turns();
            Strand.current().unpark();
            Strand.park();
            assertEquals(first, Strand.current().turns());

            Strand.giveWay();
            scheduler.sleep(5);
            assertEquals(first + 2, Strand.current().turns());
            note("through");
        });
        scheduler.run();

        assertEquals(List.of("through"), trace);
    }

    /** An answer may arrive before its strand waits for it: an early unpark must not be lost. */
    @ParameterizedTest
    @EnumSource
    void unparkBeforeParkIsNotLost(Kind kind) {
        var scheduler = new SeededScheduler(1, kind);
        Strand early = scheduler.start("early", () -> {
            Strand.park();
            Strand.current().unpark();
            Strand.park();
            note("through");
        });
        early.unpark();
        scheduler.run();

        assertEquals(List.of("through"), trace);
    }

    /** Permits do not add up: two unparks wake one park. */
    @ParameterizedTest
    @EnumSource
    void twoUnparksAreOnePermit(Kind kind) {
        var scheduler = new SeededScheduler(1, kind);
        Strand strand = scheduler.start("s", () -> {
            Strand.park();
            note("once");
            Strand.park();
            note("twice");
        });
        scheduler.run();
        strand.unpark();
        strand.unpark();
        scheduler.run();

        assertEquals(List.of("once"), trace);
        assertFalse(strand.isDone());
        strand.abandon();
    }

    /** A completion that arrives during a back-off must still be there for the next wait. */
    @ParameterizedTest
    @EnumSource
    void sleepIsNotCutShortAndKeepsThePermit(Kind kind) {
        var scheduler = new SeededScheduler(1, kind);
        Strand sleeper = scheduler.start("sleeper", () -> {
            scheduler.sleep(100);
            note("slept until " + scheduler.clock().nowNanos());
            Strand.park();
            note("parked until " + scheduler.clock().nowNanos());
        });
        scheduler.start("waker", () -> {
            scheduler.sleep(10);
            sleeper.unpark();
        });
        scheduler.run();

        assertEquals(List.of("slept until 100", "parked until 100"), trace);
    }

    /** A completion that came before the back-off began must still be there after it. */
    @ParameterizedTest
    @EnumSource
    void sleepKeepsAnEarlierPermit(Kind kind) {
        var scheduler = new SeededScheduler(1, kind);
        scheduler.start("sleeper", () -> {
            Strand.current().unpark();
            scheduler.sleep(100);
            Strand.giveWay();
            note("slept until " + scheduler.clock().nowNanos());
            Strand.park();
            note("parked");
        });
        scheduler.run();

        assertEquals(List.of("slept until 100", "parked"), trace);
    }

    @ParameterizedTest
    @EnumSource
    void parkForTellsUnparkFromTimeOut(Kind kind) {
        var scheduler = new SeededScheduler(1, kind);
        Strand waiter = scheduler.start("waiter", () -> {
            note(scheduler.parkFor(50) + " at " + scheduler.clock().nowNanos());
            note(scheduler.parkFor(50) + " at " + scheduler.clock().nowNanos());
            scheduler.sleep(1_000); // the time-out that was not needed must not end this
            note("end at " + scheduler.clock().nowNanos());
        });
        scheduler.start("waker", () -> {
            scheduler.sleep(60);
            waiter.unpark();
        });
        scheduler.run();

        assertEquals(List.of("false at 50", "true at 60", "end at 1060"), trace);
    }

    @ParameterizedTest
    @EnumSource
    void abandonedStrandNeverRunsAgain(Kind kind) {
        var scheduler = new SeededScheduler(1, kind);
        Strand victim = scheduler.start("victim", () -> {
            try {
                scheduler.sleep(100);
                note("survived");
            } finally {
                if (Strand.current().isAbandoned()) scheduler.sleep(1);
                note("waited while unwinding");
            }
        });
        scheduler.start("killer", () -> {
            scheduler.sleep(10);
            victim.abandon();
            victim.unpark();
        });
        scheduler.run();

        assertEquals(List.of(), trace);
        assertTrue(victim.isDone());
        assertNull(victim.failure());
        assertEquals(0, scheduler.alive());
        assertEquals(10, scheduler.clock().nowNanos(), "nobody waits for the timer of a dead strand");
    }

    @ParameterizedTest
    @EnumSource
    void strandCanCrashItself(Kind kind) {
        var scheduler = new SeededScheduler(1, kind);
        Strand victim = scheduler.start("victim", () -> {
            Strand.current().abandon();
            note("survived");
        });
        scheduler.run();

        assertEquals(List.of(), trace);
        assertTrue(victim.isDone() && victim.isAbandoned());
        assertEquals(0, scheduler.alive());
    }

    private static SeededScheduler initializing;

    private static final class Initializing {
        static final String FOUND;

        static {
            String found = "nothing";
            try {
                initializing.parkFor(10);
            } catch (InvariantException refused) {
                found = "refused";
            }
            FOUND = found;
        }
    }

    /** A refused wait has no effect: the strand still runs, and its next wait works. */
    @Test
    void refusedWaitHasNoEffect() {
        initializing = new SeededScheduler(1, Kind.CONTINUATION);
        initializing.start("s", () -> {
            initializing.start("other", () -> note("other"));
            note(Initializing.FOUND);
            Strand.current().unpark();
            Strand.park();
            note("permit found");
            initializing.sleep(100);
            note("slept until " + initializing.clock().nowNanos());
        });
        initializing.run();

        assertEquals(List.of("refused", "permit found", "other", "slept until 100"), trace);
    }

    @Test
    void plainThreadCannotPark() {
        assertThrows(IllegalStateException.class, Strand::park);
    }

    /** The simulator relies on this: one seed gives one trace, wherever the stacks are kept. */
    @Test
    void bothKindsGiveTheSameTraceByteForByte() {
        for (long seed = 1; seed <= 10; seed++) {
            String continuations = TokenProgram.trace(seed, Kind.CONTINUATION);

            assertEquals(continuations, TokenProgram.trace(seed, Kind.THREAD), "seed=" + seed);
            assertEquals(continuations, TokenProgram.trace(seed, Kind.CONTINUATION), "seed=" + seed);
            assertFalse(continuations.equals(TokenProgram.trace(seed + 100, Kind.CONTINUATION)), "seed=" + seed);
            for (String event : List.of("token", "slept", "spawned", "failed", "crashed", "timed out", "gave way")) {
                assertTrue(continuations.contains(event), "the program never reached: " + event + " seed=" + seed);
            }
        }
    }
}
