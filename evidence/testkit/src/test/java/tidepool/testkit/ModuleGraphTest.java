package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Dependencies between the four folders go one way, except in test scope. An application gets only core. */
class ModuleGraphTest {
    private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");
    private static final Pattern GROUP = Pattern.compile("<groupId>([^<]+)</groupId>");
    private static final Pattern EXPORT = Pattern.compile("exports\\s+([\\w.]+)(?:\\s+to\\s+([\\w.,\\s]+))?;");
    private static final Pattern TRANSITIVE = Pattern.compile("requires\\s+transitive\\s+([\\w.]+);");
    private static final Pattern ROW = Pattern.compile(
            "(?m)^\\| `(\\w+)` \\|([^|]*\\|[^|]*)\\|([^|]*)\\|$"); // module, exports, requires transitive
    private static final Pattern LISTED = Pattern.compile("`([\\w.]+)`(?: to `(\\w+)`)?");
    private static final Pattern LINKER = Pattern.compile("(?m)^import java\\.lang\\.foreign\\.Linker;");
    private static final Map<String, Set<String>> ALLOWED = Map.of(
            "core", Set.of("core"),
            "net", Set.of("core", "net"),
            "evidence", Set.of("core", "net", "evidence"));

    /**
     * Packages that are in two modules. The harnesses of {@code fuzz} feed the parsers of a node, which are internal.
     * As tests of {@code node} they would have to be packed, so that {@code ./tidepool fuzz} would compile the tests of
     * all modules. Tests of {@code node} that need both ends of a socket use internal classes of the client. Tests of
     * indexes under all protocols plant bugs in a pool, which applications cannot, and use a tree by itself.
     */
    private static final Map<String, Set<String>> SPLIT = Map.of(
            "tidepool", Set.of("api", "protocols"),
            "tidepool.protocol.ordered", Set.of("protocol", "protocols"),
            "tidepool.node", Set.of("fuzz", "node"),
            "tidepool.node.journal", Set.of("fuzz", "node"),
            "tidepool.tcp", Set.of("node", "tcp"));

    /** Modules whose main code may use a library. The tests of mutants start JUnit in a JVM of their own. */
    private static final Map<String, Set<String>> HOMES = new TreeMap<>(Map.of(
            "junit", new TreeSet<>(Set.of("contracts", "mutants", "testkit")),
            "jackson", new TreeSet<>(Set.of("bench", "cli", "history", "lab")),
            "HdrHistogram", new TreeSet<>(Set.of("bench"))));

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
    void noPackageIsInTwoNamedModules() throws IOException {
        Map<String, Set<String>> modules = new TreeMap<>();
        for (Path module : SourceTree.modules())
            if (Files.exists(module.resolve("src/main/java/module-info.java"))) add(module, "main", modules);
        assertTrue(modules.size() > 25, "only " + modules.size() + " packages were read");
        assertEquals(Map.of(), split(modules));
    }

    /**
     * A class in a package of another module can use all that the other module hides. The other module does not show
     * this. So tests have packages of their own modules, with the exceptions of {@link #SPLIT}.
     */
    @Test
    void noPackageIsInTwoModules() throws IOException {
        Map<String, Set<String>> modules = new TreeMap<>();
        for (Path module : SourceTree.modules()) for (String kind : List.of("main", "test")) add(module, kind, modules);
        assertTrue(modules.size() > 60, "only " + modules.size() + " packages were read");
        assertEquals(SPLIT, split(modules));
    }

    /** A package that is exported by mistake is used soon, and then cannot be changed. */
    @Test
    void modulesExportWhatTheTableSays() throws IOException {
        Map<String, Set<String>> listed = new TreeMap<>();
        Matcher row = ROW.matcher(tableOfModules());
        while (row.find()) {
            Matcher export = LISTED.matcher(row.group(2));
            while (export.find()) add(row.group(1), export.group(1), export.group(2), listed);
        }
        Map<String, Set<String>> exported = new TreeMap<>();
        for (Path module : SourceTree.modules()) {
            Path descriptor = module.resolve("src/main/java/module-info.java");
            if (!Files.exists(descriptor)) continue;
            Matcher export = EXPORT.matcher(Files.readString(descriptor));
            while (export.find())
                for (String to : export.group(2) == null
                        ? new String[1]
                        : export.group(2).split("\\s*,\\s*"))
                    add(module.getFileName().toString(), export.group(1), to, exported);
        }
        assertTrue(exported.size() > 10, "only " + exported.keySet());
        assertEquals(lines(listed), lines(exported));
    }

    /** Users of a module read the modules that it passes on. An internal one among them would become theirs. */
    @Test
    void modulesPassOnWhatTheTableSays() throws IOException {
        Map<String, Set<String>> listed = new TreeMap<>();
        Matcher row = ROW.matcher(tableOfModules());
        while (row.find()) {
            Matcher required = LISTED.matcher(row.group(3));
            while (required.find()) add(row.group(1), required.group(1), null, listed);
        }
        Map<String, Set<String>> required = new TreeMap<>();
        for (Path module : SourceTree.modules()) {
            Path descriptor = module.resolve("src/main/java/module-info.java");
            if (!Files.exists(descriptor)) continue;
            Matcher each = TRANSITIVE.matcher(Files.readString(descriptor));
            while (each.find())
                add(module.getFileName().toString(), each.group(1).replace("tidepool.", ""), null, required);
        }
        assertTrue(required.size() > 8, "only " + required.keySet());
        assertEquals(lines(listed), lines(required));
    }

    /** ARCHITECTURE.md names the places that call native code, so that a reader need not look for others. */
    @Test
    void nativeCodeIsCalledWhereTheArchitectureSays() throws IOException {
        Set<String> callers = new TreeSet<>();
        for (Path module : SourceTree.modules())
            try (Stream<Path> files = Files.walk(module.resolve("src"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList())
                    if (LINKER.matcher(Files.readString(file)).find())
                        callers.add(module.getFileName() + " " + file.getFileName());
            }
        assertEquals(Set.of("fabric Prefetch.java", "workload AimedDeath.java"), callers);
    }

    /** A library that spreads makes every module depend on its version; JUnit has no place in a product. */
    @Test
    void librariesStayInTheirModules() throws IOException {
        Map<String, Set<String>> users = new TreeMap<>();
        for (Path module : SourceTree.modules())
            for (String artifact : compiled(module, false))
                for (String library : HOMES.keySet())
                    if (artifact.startsWith(library))
                        users.computeIfAbsent(library, _ -> new TreeSet<>())
                                .add(module.getFileName().toString());
        assertEquals(lines(HOMES), lines(users));
    }

    private static String tableOfModules() throws IOException {
        String page = Files.readString(SourceTree.path("ARCHITECTURE.md"));
        return page.substring(page.indexOf("### What modules export"), page.indexOf("Inside `protocol`"));
    }

    private static void add(String module, String name, String to, Map<String, Set<String>> exports) {
        exports.computeIfAbsent(module, _ -> new TreeSet<>())
                .add(to == null ? name : name + " to " + to.replace("tidepool.", ""));
    }

    /** One line for each module, so that a failure shows which one differs. */
    private static String lines(Map<String, Set<String>> exports) {
        return exports.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining("\n"));
    }

    /** Adds the packages of a module's main code or tests. */
    private static void add(Path module, String kind, Map<String, Set<String>> modules) throws IOException {
        Path sources = module.resolve("src/" + kind + "/java");
        if (!Files.isDirectory(sources)) return;
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> sources.relativize(file.getParent()).toString().replace(File.separatorChar, '.'))
                    .filter(name -> !name.isEmpty())
                    .forEach(name -> modules.computeIfAbsent(name, _ -> new TreeSet<>())
                            .add(module.getFileName().toString()));
        }
    }

    private static Map<String, Set<String>> split(Map<String, Set<String>> modules) {
        Map<String, Set<String>> split = new TreeMap<>(modules);
        split.values().removeIf(names -> names.size() < 2);
        return split;
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
