package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Simple names of top-level classes are unique in main code, so that a search for a name finds one class. */
class UniqueNamesTest {
    @TempDir
    Path folder;

    @Test
    void topLevelNamesAreUnique() throws IOException {
        Map<String, List<Path>> names = names(SourceTree.modules());
        assertTrue(names.size() > 800, "only " + names.size() + " classes were read");
        assertEquals(List.of(), repeated(names));
    }

    /** The check can fail. */
    @Test
    void aNameInTwoModulesIsFound() throws IOException {
        for (String file : List.of("one/src/main/java/a/Lock.java", "two/src/main/java/b/Lock.java")) {
            Path source = folder.resolve(file);
            Files.createDirectories(source.getParent());
            Files.createFile(source);
        }
        Map<String, List<Path>> names = names(List.of(folder.resolve("one"), folder.resolve("two")));
        assertEquals(1, repeated(names).size());
    }

    private static List<List<Path>> repeated(Map<String, List<Path>> names) {
        return names.values().stream().filter(files -> files.size() > 1).toList();
    }

    private static Map<String, List<Path>> names(List<Path> modules) throws IOException {
        Map<String, List<Path>> names = new TreeMap<>();
        for (Path module : modules) {
            Path sources = module.resolve("src/main/java");
            if (!Files.isDirectory(sources)) continue;
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file : files.toList()) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(".java") && !name.endsWith("-info.java"))
                        names.computeIfAbsent(name, none -> new ArrayList<>()).add(file);
                }
            }
        }
        return names;
    }
}
