package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Dependencies between the four folders go one way, except in test scope: an application gets core and nothing else. */
class ModuleGraphTest {
    private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");
    private static final Pattern GROUP = Pattern.compile("<groupId>([^<]+)</groupId>");
    private static final Map<String, Set<String>> ALLOWED = Map.of(
            "core", Set.of("core"),
            "net", Set.of("core", "net"),
            "evidence", Set.of("core", "net", "evidence"));

    @Test
    void foldersDependOnLowerOnesAlone() throws IOException {
        Map<String, String> folders = folders();
        List<String> wrong = new ArrayList<>();
        int dependencies = 0;
        for (Path module : SourceTree.modules()) {
            Set<String> allowed = ALLOWED.get(folder(module));
            if (allowed == null) continue;
            for (String artifact : compiled(module, true)) {
                dependencies++;
                if (!allowed.contains(folders.get(artifact))) wrong.add(module + " depends on " + artifact);
            }
        }
        assertTrue(dependencies > 15, "only " + dependencies + " dependencies were read");
        assertEquals(List.of(), wrong);
    }

    /** The dependency tree of an application that uses {@code mem:} or {@code shm:} is ours alone. */
    @Test
    void coreHasNoForeignDependency() throws IOException {
        for (Path module : SourceTree.modules())
            if (folder(module).equals("core")) assertEquals(List.of(), compiled(module, false), module.toString());
    }

    /** An application that depends on the client gets no server code, and a node gets no client. */
    @Test
    void theTcpClientAndTheMemoryNodeDoNotReachEachOther() throws IOException {
        assertEquals(Set.of("wire", "fabric", "memory", "base"), reached("tcp"));
        assertEquals(Set.of("wire", "fabric", "memory", "base"), reached("node"));
        assertTrue(reached("zookeeper").contains("tcp"));
        assertFalse(reached("zookeeper").contains("node"));
    }

    /** Two modules with the same package cannot be used in one modular program. */
    @Test
    void noPackageIsInTwoModules() throws IOException {
        Map<Path, String> packages = new HashMap<>();
        List<String> split = new ArrayList<>();
        for (Path module : SourceTree.modules()) {
            Path sources = module.resolve("src/main/java");
            if (!Files.exists(sources.resolve("module-info.java"))) continue;
            try (Stream<Path> files = Files.walk(sources)) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .map(file -> sources.relativize(file.getParent()))
                        .filter(folder -> !folder.toString().isEmpty())
                        .distinct()
                        .forEach(folder -> {
                            String other = packages.put(folder, module.toString());
                            if (other != null) split.add(folder + " is in " + other + " and " + module);
                        });
            }
        }
        assertTrue(packages.size() > 25, "only " + packages.size() + " packages were read");
        assertEquals(List.of(), split);
    }

    /** Returns the modules of Tidepool in the dependency tree of a module, outside of test scope. */
    private static Set<String> reached(String from) throws IOException {
        Set<String> reached = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty())
            for (String artifact : compiled(SourceTree.module(open.remove()), true)) {
                String module = artifact.substring("tidepool-".length());
                if (reached.add(module)) open.add(module);
            }
        return reached;
    }

    private static String folder(Path module) {
        return module.getParent().getFileName().toString();
    }

    /** Returns the folder of each artifact of Tidepool. */
    private static Map<String, String> folders() {
        Map<String, String> folders = new TreeMap<>();
        for (Path module : SourceTree.modules()) folders.put("tidepool-" + module.getFileName(), folder(module));
        return folders;
    }

    /** Returns the artifacts that a module depends on outside of test scope: ours, or foreign ones. */
    private static List<String> compiled(Path module, boolean ours) throws IOException {
        List<String> artifacts = new ArrayList<>();
        Matcher dependency = DEPENDENCY.matcher(Files.readString(module.resolve("pom.xml")));
        while (dependency.find()) {
            String text = dependency.group(1);
            if (text.contains("<scope>test</scope>")) continue;
            Matcher group = GROUP.matcher(text);
            Matcher artifact = ARTIFACT.matcher(text);
            if (group.find() && artifact.find() && group.group(1).equals("dev.tidepool") == ours)
                artifacts.add(artifact.group(1));
        }
        return artifacts;
    }
}
