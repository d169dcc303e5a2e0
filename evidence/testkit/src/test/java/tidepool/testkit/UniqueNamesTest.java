package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Simple names of top-level classes are unique, in main code and tests together, so that a search for a name finds one
 * class and {@code -Dtest=NAME} runs one. A public nested class does not have the name of a class of the core.
 */
class UniqueNamesTest {
    private static final Pattern NESTED = Pattern.compile(
            "(?m)^ +public (?:static |final |abstract |sealed )*(?:class|interface|record|enum) (\\w+)");

    @TempDir
    Path folder;

    @Test
    void topLevelNamesAreUnique() throws IOException {
        Map<String, List<Path>> names = names(SourceTree.modules(), "main", "test");
        assertTrue(names.size() > 1500, "only " + names.size() + " classes were read");
        assertEquals(List.of(), repeated(names));
    }

    @Test
    void nestedNamesAreNoneOfTheCore() throws IOException {
        Set<String> core = new TreeSet<>();
        for (Path module : SourceTree.modules())
            if (module.getParent().endsWith("core"))
                core.addAll(names(List.of(module), "main").keySet());
        assertTrue(core.size() > 200, "only " + core.size() + " classes of the core were read");
        List<String> found = new ArrayList<>();
        for (List<Path> files : names(SourceTree.modules(), "main").values())
            for (Path file : files)
                for (String name : nested(Files.readString(file)))
                    if (core.contains(name)) found.add(SourceTree.root().relativize(file) + ": " + name);
        assertEquals(List.of(), found);
    }

    /** The check can fail, also for a test that has the name of a class of main code. */
    @Test
    void aNameInTwoModulesIsFound() throws IOException {
        for (String file : List.of("one/src/main/java/a/Lock.java", "two/src/test/java/b/Lock.java")) {
            Path source = folder.resolve(file);
            Files.createDirectories(source.getParent());
            Files.createFile(source);
        }
        List<Path> modules = List.of(folder.resolve("one"), folder.resolve("two"));
        assertEquals(1, repeated(names(modules, "main", "test")).size());
        assertEquals(0, repeated(names(modules, "main")).size());
    }

    @Test
    void publicNestedClassesAreFound() {
        assertEquals(
                List.of("Key", "Kind"),
                nested("public record Row() {\n    public record Key() {}\n    private record Value() {}\n"
                        + "    public static final class Kind {}\n}\n"));
    }

    private static List<List<Path>> repeated(Map<String, List<Path>> names) {
        return names.values().stream().filter(files -> files.size() > 1).toList();
    }

    private static List<String> nested(String source) {
        List<String> names = new ArrayList<>();
        Matcher nested = NESTED.matcher(source);
        while (nested.find()) names.add(nested.group(1));
        return names;
    }

    private static Map<String, List<Path>> names(List<Path> modules, String... kinds) throws IOException {
        Map<String, List<Path>> names = new TreeMap<>();
        for (Path module : modules)
            for (String kind : kinds) {
                Path sources = module.resolve("src/" + kind + "/java");
                if (!Files.isDirectory(sources)) continue;
                try (Stream<Path> files = Files.walk(sources)) {
                    for (Path file : files.toList()) {
                        String name = file.getFileName().toString();
                        if (name.endsWith(".java") && !name.endsWith("-info.java"))
                            names.computeIfAbsent(name.substring(0, name.length() - 5), none -> new ArrayList<>())
                                    .add(file);
                    }
                }
            }
        return names;
    }
}
