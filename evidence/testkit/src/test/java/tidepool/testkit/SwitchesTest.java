package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests have one switch for their amount of work ({@link Effort}), one for the first seed and one for single
 * invocations. The others write files or look for seeds. CONTRIBUTING.md names them all.
 */
class SwitchesTest {
    /** A system property that is read by its name. */
    private static final Pattern READ =
            Pattern.compile("\\b(?:System\\.getProperty|Long\\.getLong|Integer\\.getInteger|Boolean\\.getBoolean)"
                    + "\\(\\s*\"([^\"]+)\"");

    private static final Set<String> SWITCHES = Set.of(
            "tidepool.docs.write",
            "tidepool.effort",
            "tidepool.invocation",
            "tidepool.planted",
            "tidepool.seed",
            "tidepool.surface");

    /** Properties of Java, JUnit, Surefire and Maven. */
    private static final Pattern OF_THE_MACHINE =
            Pattern.compile("(?:java|os|user|junit)\\.[\\w.]+|surefire\\.test\\.class\\.path|maven\\.repo\\.local");

    @Test
    void testsHaveNoOtherSwitches() throws IOException {
        List<String> found = new ArrayList<>();
        Set<String> used = new TreeSet<>();
        for (Path module : SourceTree.modules())
            for (String name : names(module.resolve("src/test/java"))) classify(name, used, found, module);
        for (String name : names(SourceTree.module("testkit").resolve("src/main/java")))
            classify(name, used, found, SourceTree.module("testkit"));
        assertEquals(List.of(), found);
        assertEquals(new TreeSet<>(SWITCHES), used);
    }

    @Test
    void theSwitchesAreInContributing() throws IOException {
        String page = Files.readString(SourceTree.path("CONTRIBUTING.md"));
        for (String name : SWITCHES) assertTrue(page.contains("-D" + name), name);
    }

    /** The check can fail. */
    @Test
    void otherSwitchesAreFound() {
        assertEquals(List.of("short.every"), read("long e = Long.getLong(\"short.every\", 7);"));
        assertEquals(List.of("a.b"), read("boolean b = Boolean.getBoolean(\n        \"a.b\");"));
        assertEquals(List.of(), read("boolean b = row.getBoolean(\"readOnly\");"));
    }

    private static void classify(String name, Set<String> used, List<String> found, Path module) {
        if (SWITCHES.contains(name)) used.add(name);
        else if (!OF_THE_MACHINE.matcher(name).matches()) found.add(module.getFileName() + ": " + name);
    }

    private static List<String> names(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) return List.of();
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                    .filter(each -> !each.endsWith("SwitchesTest.java"))
                    .toList()) names.addAll(read(Files.readString(file)));
        }
        return names;
    }

    private static List<String> read(String source) {
        List<String> names = new ArrayList<>();
        Matcher read = READ.matcher(source);
        while (read.find()) names.add(read.group(1));
        return names;
    }
}
