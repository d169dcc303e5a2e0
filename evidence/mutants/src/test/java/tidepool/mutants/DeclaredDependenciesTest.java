package tidepool.mutants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tidepool.testkit.SourceTree;

/**
 * The classes of a module use what its pom declares. An unused dependency is a jar on every class path after it, and a
 * license and a version to look after. A dependency that is needed at run time alone has the scope runtime.
 *
 * <p>The dependency plugin's own analysis does not fit: it asks for a declaration of what {@code requires transitive}
 * passes on.
 */
class DeclaredDependenciesTest {
    private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");
    private static final Pattern MANAGED = Pattern.compile("(?s)<dependencyManagement>.*?</dependencyManagement>");

    /** Packages of foreign artifacts, as internal names. */
    private static final Map<String, String> PACKAGES = Map.ofEntries(
            Map.entry("HdrHistogram", "org/HdrHistogram/"),
            Map.entry("aeron-driver", "io/aeron/"),
            Map.entry("curator-framework", "org/apache/curator/framework/"),
            Map.entry("forbiddenapis", "de/thetaphi/forbiddenapis/"),
            Map.entry("h2-mvstore", "org/h2/mvstore/"),
            Map.entry("infinispan-core", "org/infinispan/"),
            Map.entry("jackson-core", "com/fasterxml/jackson/core/"),
            Map.entry("jackson-databind", "com/fasterxml/jackson/databind/"),
            Map.entry("jcstress-core", "org/openjdk/jcstress/"),
            Map.entry("jline-reader", "org/jline/reader/"),
            Map.entry("junit-jupiter-api", "org/junit/jupiter/api/"),
            Map.entry("junit-platform-launcher", "org/junit/platform/launcher/"),
            Map.entry("lmdbjava", "org/lmdbjava/"),
            Map.entry("netty-transport", "io/netty/"),
            Map.entry("netty-transport-native-epoll", "io/netty/channel/epoll/"),
            Map.entry("picocli", "picocli/"),
            Map.entry("protobuf-java", "com/google/protobuf/"),
            Map.entry("rocksdbjni", "org/rocksdb/"),
            Map.entry("zookeeper", "org/apache/zookeeper/"));

    /**
     * What tests need at run time, for which there is no scope: limits of time and the end of what hangs (testkit), the
     * server of ZooKeeper, its log, and the client that a URL or the rules of protocols look for by name.
     */
    private static final Set<String> FOR_RUNNING_TESTS =
            Set.of("tidepool-testkit", "tidepool-tcp", "slf4j-jdk14", "metrics-core", "snappy-java");

    @Test
    void everyDeclaredDependencyIsUsed() throws IOException {
        List<Path> missing = CompiledModules.missing();
        assumeTrue(missing.isEmpty(), "a part of the modules is compiled; not compiled are " + missing);
        Map<String, Set<String>> classes = new TreeMap<>();
        for (Path module : SourceTree.modules()) {
            Set<String> names = new TreeSet<>();
            for (String kind : List.of("classes", "test-classes"))
                for (ClassModel type : CompiledModules.parsed(module.resolve("target/" + kind)))
                    names.add(CompiledModules.name(type));
            classes.put("tidepool-" + module.getFileName(), names);
        }
        Set<String> unused = new TreeSet<>();
        int declared = 0;
        for (Path module : SourceTree.modules()) {
            Set<String> main = named(CompiledModules.parsed(module.resolve("target/classes")));
            Set<String> all = named(CompiledModules.parsed(module.resolve("target/test-classes")));
            all.addAll(main);
            String pom =
                    MANAGED.matcher(Files.readString(module.resolve("pom.xml"))).replaceAll("");
            for (Matcher dependency = DEPENDENCY.matcher(pom); dependency.find(); ) {
                String artifact = element(dependency.group(1), "artifactId");
                String scope = element(dependency.group(1), "scope");
                if (scope.equals("runtime") || scope.equals("provided")) continue;
                if (scope.equals("test") && FOR_RUNNING_TESTS.contains(artifact)) continue;
                declared++;
                Set<String> names = scope.equals("test") ? all : main;
                if (!isUsed(artifact, names, classes)) unused.add(module.getFileName() + ": " + artifact + " " + scope);
            }
        }
        assertTrue(declared > 60, "only " + declared + " dependencies were read");
        assertEquals("", String.join("\n", unused), "declared, and no class names one of its classes");
    }

    private static boolean isUsed(String artifact, Set<String> names, Map<String, Set<String>> classes) {
        Set<String> ours = classes.get(artifact);
        if (ours != null) return names.stream().anyMatch(ours::contains);
        String prefix = PACKAGES.get(artifact);
        assertTrue(prefix != null, "give the packages of " + artifact + " to PACKAGES");
        return names.stream().anyMatch(name -> name.startsWith(prefix));
    }

    /** Returns the classes that class files name, in code, signatures and annotations. */
    private static Set<String> named(List<ClassModel> types) {
        Set<String> names = new TreeSet<>();
        for (ClassModel type : types)
            for (PoolEntry entry : type.constantPool()) {
                if (entry instanceof ClassEntry named) names.add(named.asInternalName());
                if (entry instanceof Utf8Entry text && text.stringValue().contains(";"))
                    for (Matcher each = Pattern.compile("L([\\w/$]+)[;<]").matcher(text.stringValue()); each.find(); )
                        names.add(each.group(1));
            }
        return names;
    }

    private static String element(String dependency, String name) {
        Matcher found = Pattern.compile("<" + name + ">([^<]+)<").matcher(dependency);
        return found.find() ? found.group(1) : "";
    }
}
