package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A test that hangs ends its run with a reason; otherwise the build would wait without end. */
@Tag("process")
class HangGuardTest {
    /** Waits for a monitor that a thread never leaves: an interrupt does not end such a wait. */
    static final class Stuck {
        private Stuck() {}

        public static void main(String[] arguments) throws InterruptedException {
            Object monitor = new Object();
            Thread holder = Thread.ofPlatform().start(() -> {
                synchronized (monitor) {
                    System.out.println("held");
                    sleepForEver();
                }
            });
            while (holder.getState() != Thread.State.TIMED_WAITING) Thread.sleep(1);
            try (HangGuard.Watch _ = new HangGuard.Watch("aStuckTest", 1)) {
                synchronized (monitor) {
                    System.out.println("never printed");
                }
            }
        }

        private static void sleepForEver() {
            while (true)
                try {
                    Thread.sleep(Long.MAX_VALUE);
                } catch (InterruptedException e) {
                    // sleeps on
                }
        }
    }

    /** Ends long before its limit. */
    static final class Fast {
        private Fast() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (HangGuard.Watch _ = new HangGuard.Watch("aFastTest", 1)) {
                System.out.println("done");
            }
            Thread.sleep(1_500);
        }
    }

    @Test
    void aTestThatIgnoresInterruptsEndsItsJvmAndIsNamed() {
        try (ChildProcess child = ChildProcess.jvm(List.of(), Stuck.class).start()) {
            assertEquals(List.of("held"), child.lines());
            assertEquals(HangGuard.EXIT_CODE, child.exitCode());
            assertTrue(child.errors().startsWith("aStuckTest has run for 1 s"), child::errors);
            assertTrue(child.errors().contains("BLOCKED"), child::errors);
        }
    }

    @Test
    void aTestThatEndsInTimeIsLeftAlone() {
        try (ChildProcess child = ChildProcess.jvm(List.of(), Fast.class).start()) {
            assertEquals(List.of("done"), child.lines());
            assertEquals(0, child.exitCode(), child::errors);
        }
    }
}
