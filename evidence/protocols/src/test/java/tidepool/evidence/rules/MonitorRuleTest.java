package tidepool.evidence.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Waiting;
import tidepool.testkit.SourceTree;

/**
 * A strand that waits inside a monitor stops its carrier for ever as soon as another strand of the carrier wants that
 * monitor. A simulation then hangs, and so does a client with many coordinators on one thread.
 */
class MonitorRuleTest {
    /** The modules whose code runs on strands. */
    private static final List<String> MODULES =
            List.of("base", "memory", "fabric", "wire", "tcp", "node", "store", "protocol", "api");

    @Test
    void noStrandWaitsInsideAMonitor() throws IOException {
        MonitorRule rule = new MonitorRule();
        for (String module : MODULES) rule.read(SourceTree.module(module).resolve("target/classes"));

        assertTrue(rule.size() > 400, () -> "only " + rule.size() + " classes were read");
        assertEquals("", String.join("\n", rule.offences()));
    }

    /** The rule finds a wait in a synchronized method, in a block, in a handler, in a lambda and in an override. */
    @Test
    void everyWaitInsideAMonitorIsFound() throws IOException {
        Collection<String> found = offences(Offences.class, Waits.class, WaitsLong.class);

        assertEquals(5, found.size(), () -> String.join("\n", found));
        for (String name : List.of("inMethod", "inBlock", "inHandler", "inLambda", "inOverride"))
            assertTrue(found.stream().anyMatch(line -> line.contains("." + name + "(")), () -> name + " in " + found);
    }

    @Test
    void waitsOutsideOfMonitorsAreAllowed() throws IOException {
        assertEquals(List.of(), List.copyOf(offences(Allowed.class, Waits.class, WaitsLong.class)));
    }

    private static Collection<String> offences(Class<?>... read) throws IOException {
        MonitorRule rule = new MonitorRule().read(SourceTree.module("base").resolve("target/classes"));
        for (Class<?> one : read) {
            String file = one.getName().substring(one.getPackageName().length() + 1) + ".class";
            try (var bytes = one.getResourceAsStream(file)) {
                rule.add(ClassFile.of().parse(bytes.readAllBytes()));
            }
        }
        return rule.offences();
    }

    /** Never run: only read by the rule. */
    static class Waits {
        void work() {}
    }

    static final class WaitsLong extends Waits {
        @Override
        void work() {
            Waiting.pause(1);
        }
    }

    static final class Offences {
        synchronized void inMethod() {
            Waiting.pause(1);
        }

        int inBlock(int n) {
            synchronized (this) {
                if (n == 7) return 1;
                Waiting.pause(n);
            }
            return n;
        }

        void inHandler(Runnable work) {
            synchronized (this) {
                try {
                    work.run();
                } catch (IllegalStateException e) {
                    Waiting.pause(1);
                }
            }
        }

        synchronized void inLambda(List<String> names) {
            names.forEach(_ -> Waiting.pause(1));
        }

        synchronized void inOverride(Waits work) {
            work.work();
        }
    }

    static final class Allowed {
        private int count;

        void before(int n) {
            Waiting.pause(n);
            synchronized (this) {
                if (n == 7) return;
                count++;
            }
        }

        int after(int n) {
            try {
                synchronized (this) {
                    if (n > count) return n;
                }
                Waiting.pause(n);
            } catch (IllegalStateException e) {
                Waiting.pause(n);
            }
            return count;
        }
    }
}
