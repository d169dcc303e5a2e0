package tidepool.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.testkit.SourceTree;

/**
 * The steps of a protocol stand in four places: in its list of steps, in the table in the comment of its transaction
 * class, in the methods of that class, and in the table of its page. All have the same names in the same order.
 */
class PhaseTableTest {
    private static final Path SOURCES = SourceTree.root().resolve("core/protocol/src/main/java/tidepool/protocol");
    private static final Path PAGES = SourceTree.root().resolve("docs/internals/protocols");

    /** The classes of a protocol's transaction, the most special one first. */
    private static final Map<String, List<String>> CLASSES = Map.of(
            "ford", List.of("ford/FordTxn", "record/RecordTxn"),
            "ford-lv", List.of("fordlv/FordLvTxn", "ford/FordTxn", "record/RecordTxn"),
            "farm", List.of("farm/FarmTxn", "redo/RedoTxn", "record/RecordTxn"),
            "farmv2", List.of("farmv2/FarmV2Txn", "redo/RedoTxn", "record/RecordTxn"),
            "drtmh", List.of("drtmh/DrtmhTxn", "redo/RedoTxn", "record/RecordTxn"),
            "hdtx", List.of("hdtx/HdtxTxn", "record/RecordTxn"),
            "motor", List.of("motor/MotorTxn", "record/RecordTxn"));

    private static final Pattern CALL = Pattern.compile("\\b([a-zA-Z]+)\\(");

    /** Published forms of a protocol share its class and its page. */
    static List<String> protocols() {
        return Protocols.names().stream()
                .filter(name -> !name.endsWith("-published"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void commentOfTheTransactionListsTheSteps(String protocol) throws IOException {
        assertEquals(steps(protocol), firstWords(source(protocol, 0), " *   "));
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void pageListsTheSteps(String protocol) throws IOException {
        String page = Files.readString(PAGES.resolve(protocol + ".md"));

        assertEquals(steps(protocol), firstWords(page.substring(page.indexOf("\n## Steps\n")), "| "));
    }

    /** A reader who searches for a step finds its method, and traces have its name. */
    @ParameterizedTest
    @MethodSource("protocols")
    void everyStepIsAMethodThatSaysSo(String protocol) throws IOException {
        for (Step step : Protocols.named(protocol).steps()) {
            Pattern method = Pattern.compile(
                    " " + step + "\\([^)]*\\) \\{\\s+at\\(Step\\." + step.name() + "\\);", Pattern.DOTALL);
            boolean found = false;
            for (int i = 0; i < CLASSES.get(protocol).size(); i++)
                found |= method.matcher(source(protocol, i)).find();
            assertTrue(found, () -> protocol + " has no method " + step + " that begins with at(Step." + step.name());
        }
    }

    /** The pipeline is one method that calls the steps in the order of the table. */
    @ParameterizedTest
    @MethodSource("protocols")
    void stepsAreCalledInTheirOrder(String protocol) throws IOException {
        List<String> order = steps(protocol);
        List<String> called = new ArrayList<>(calls(protocol, "boolean execute(int from)", order));
        called.addAll(calls(protocol, "boolean pipeline(int slot)", order));

        // FORD's log travels with its locks or its validation, which sends it.
        List<String> expected = new ArrayList<>(order);
        if (protocol.equals("ford")) expected.remove("log");
        assertEquals(expected, called.stream().distinct().toList());
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void pipelineMarksItsCommitPoint(String protocol) throws IOException {
        String pipeline = method(protocol, "boolean pipeline(int slot)");

        assertTrue(pipeline.contains("outcomeOpen();"), "a failure of the fabric leaves the outcome open");
        assertTrue(pipeline.indexOf("outcomeOpen();") < pipeline.indexOf("commitPoint();"), "only later is it decided");
        assertTrue(pipeline.indexOf("commitPoint();") < pipeline.indexOf("release(slot);"), "nothing is freed before");
        assertFalse(source(protocol, 0).contains("catch (FabricException"), "RecordTxn maps failures of the fabric");
    }

    private static List<String> steps(String protocol) {
        return Protocols.named(protocol).steps().stream().map(Step::toString).toList();
    }

    private static String source(String protocol, int i) throws IOException {
        return Files.readString(SOURCES.resolve(CLASSES.get(protocol).get(i) + ".java"));
    }

    /** Returns the words in the first column of the first table that are names of steps. */
    private static List<String> firstWords(String text, String margin) {
        List<String> words = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (line.equals(" * </pre>") || line.startsWith("## ") && !words.isEmpty()) break;
            if (!line.startsWith(margin)) continue;
            String word = line.substring(margin.length()).split(" ", 2)[0];
            if (isStep(word)) words.add(word);
        }
        return words;
    }

    private static boolean isStep(String word) {
        return Arrays.stream(Step.values()).anyMatch(step -> step.toString().equals(word));
    }

    /** Returns the steps that a method calls, in the order of the calls. */
    private static List<String> calls(String protocol, String method, List<String> steps) throws IOException {
        List<String> calls = new ArrayList<>();
        Matcher call = CALL.matcher(method(protocol, method));
        while (call.find()) {
            String name = call.group(1);
            if (name.equals("lockAndRead")) calls.addAll(List.of("lock", "read"));
            else if (steps.contains(name.toLowerCase(Locale.ROOT))) calls.add(name);
        }
        return calls;
    }

    /** Returns the body of a method of the most special class that has it. */
    private static String method(String protocol, String signature) throws IOException {
        for (int i = 0; i < CLASSES.get(protocol).size(); i++) {
            String source = source(protocol, i);
            int begin = source.indexOf(signature + " {");
            if (begin >= 0) return source.substring(begin + signature.length(), source.indexOf("\n    }\n", begin));
        }
        throw new AssertionError(protocol + " has no " + signature);
    }
}
