package tidepool.contracts.broken;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;
import tidepool.contracts.FabricContract;
import tidepool.contracts.FabricWorld;
import tidepool.contracts.ThreadWorld;
import tidepool.fabric.Fabric;
import tidepool.fabric.direct.MemFabric;
import tidepool.memory.Handlers;
import tidepool.testkit.SourceTree;

/**
 * Every broken fabric is caught by a test that was named beforehand. The same wrappers without a defect pass
 * everything: {@link FilterFabricTest}, {@link StepFabricTest}, {@link FilterSimFabricTest}.
 */
@Tag("full")
class BrokenFabricsTest {
    private static final Path TABLE = SourceTree.path("docs/evidence/broken-fabrics.md");
    private static final long MAX_MILLIS = 60_000;
    private static final int MAX_ATTEMPTS = 50;

    static List<Defect> all() {
        return Defects.all();
    }

    @TestFactory
    Stream<DynamicTest> brokenFabricIsCaught() {
        return all().stream().map(defect -> DynamicTest.dynamicTest(defect.name(), () -> assertCaught(defect)));
    }

    private static void assertCaught(Defect defect) throws Exception {
        List<String> caught = new ArrayList<>();
        List<String> missed = new ArrayList<>();
        // Threads on a busy machine may run one after the other for once, and then a race is not there to be seen.
        for (int attempt = 0; attempt < MAX_ATTEMPTS && caught.isEmpty(); attempt++) {
            missed.clear();
            for (String test : defect.caughtBy()) {
                String how = failureOf(test, defect);
                if (how == null) missed.add(test);
                else caught.add(test + ": " + how);
            }
        }
        System.out.printf(
                "broken  %-40s caught by %s%s%n",
                defect.name(), caught, missed.isEmpty() ? "" : " missed by " + missed);
        assertTrue(!caught.isEmpty(), "nobody noticed: " + defect.what());
    }

    /** What the test says about the broken fabric; null if it passes. */
    static String failureOf(String test, Defect defect) throws Exception {
        Method method = FabricContract.class.getMethod(test);
        method.setAccessible(true);
        FabricContract contract = contractOf(defect);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread runner = Thread.ofPlatform().daemon().start(() -> {
            try {
                method.invoke(contract);
            } catch (InvocationTargetException e) {
                thrown.set(e.getCause());
            } catch (ReflectiveOperationException e) {
                thrown.set(e);
            }
        });
        runner.join(MAX_MILLIS);
        if (runner.isAlive()) return "hangs";
        Throwable failure = thrown.get();
        if (failure instanceof TestAbortedException) return null;
        return failure == null ? null : firstLine(failure);
    }

    private static String firstLine(Throwable failure) {
        String text = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        return failure.getClass().getSimpleName() + " " + (text.length() > 100 ? text.substring(0, 100) + "…" : text);
    }

    /** The wrapper of rejected rounds, without a defect. The whole contract runs on the wrapper inside it. */
    @Test
    void limitOnCallsAloneIsNoDefect() throws Exception {
        Defect none = Defect.onMem("none", "nothing", LimitedCallFabric::new);
        for (String test : List.of(
                "roundThatIsThrownOutLeavesNoTrace",
                "longRoundThatIsThrownOutLeavesNoTrace",
                "callsOfAnyShapeAreAnswered")) assertNull(failureOf(test, none), test);
    }

    /** The table that people read says the same as the list that is run. -Dtidepool.docs.write=true writes it anew. */
    @Test
    void documentNamesEveryDefect() throws IOException {
        String table = table();
        if (Boolean.getBoolean("tidepool.docs.write")) Files.writeString(TABLE, table);

        assertEquals(table, Files.readString(TABLE), "rewrite " + TABLE + " with -Dtidepool.docs.write=true");
    }

    /** A test that is misspelt would never catch anything. */
    @Test
    void expectedTestsExist() {
        Set<String> tests = new HashSet<>();
        for (Method method : FabricContract.class.getMethods())
            if (method.isAnnotationPresent(Test.class)) tests.add(method.getName());
        for (Defect defect : all())
            for (String test : defect.caughtBy()) assertTrue(tests.contains(test), defect.name() + ": " + test);
    }

    private static String table() {
        StringBuilder text = new StringBuilder("""
                # Broken fabrics, and what catches them

                A contract that no fabric breaks has not been tested. `BrokenFabricsTest` wraps a working fabric,\
                 plants one
                defect, and runs the tests named here against it; at least one of them must fail. The same wrappers\
                 without a
                defect pass the whole contract. This table is checked against the list in `Defects`; a developer who\
                 finds a new
                kind of bug in a fabric adds a row.

                | broken fabric | what it does wrong | on | caught by |
                | --- | --- | --- | --- |
                """);
        for (Defect defect : all())
            text.append("| ")
                    .append(defect.name())
                    .append(" | ")
                    .append(defect.what())
                    .append(" | ")
                    .append(defect.base().name().toLowerCase(java.util.Locale.ROOT))
                    .append(" | `")
                    .append(String.join("`, `", defect.caughtBy()))
                    .append("` |\n");
        return text.toString();
    }

    /** The contract around a broken fabric. The class is anonymous, so that JUnit does not run it by itself. */
    static FabricContract contractOf(Defect defect) {
        return new FabricContract() {
            @Override
            public FabricWorld open(int nodes, boolean handlers) {
                Handlers served = handlers ? new Handlers() : Handlers.off();
                return switch (defect.base()) {
                    case MEM -> new BrokenMem(defect.breaking().apply(new MemFabric(nodes, served)));
                    case SIM -> new BrokenSim(nodes, served, defect.breaking());
                };
            }
        };
    }

    private static final class BrokenMem extends ThreadWorld {
        private final boolean limited;

        BrokenMem(Fabric broken) {
            super(broken);
            limited = broken instanceof LimitedCallFabric;
        }

        @Override
        public boolean callsHaveNoLimit() {
            return !limited;
        }

        @Override
        public int litmusRounds() {
            return 20_000;
        }

        @Override
        public void note(String test, long interesting, long looks) {}
    }

    private static final class BrokenSim extends FilteredSimWorld {
        BrokenSim(int nodes, Handlers handlers, UnaryOperator<Fabric> breaking) {
            super(nodes, handlers, breaking);
        }

        @Override
        public void note(String test, long interesting, long looks) {}
    }
}
