package tidepool.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.testkit.SourceTree;

/**
 * The program of examples/consumer/embedded, whose module requires tidepool.api and nothing else. All other tests run
 * on the class path, where a missing 'uses' or 'exports' does not show.
 */
class ModularProgramTest {
    private static final Path CONSUMER = SourceTree.path("examples/consumer/embedded/src/main/java");

    private static final Pattern IMPORT = Pattern.compile("(?m)^import ([a-z.]+)\\.[A-Z]\\w*;$");

    @TempDir
    Path folder;

    /** The program of the README needs one module, and the packages of the api and of schemas. */
    @Test
    void theProgramOfTheReadmeNeedsTheApiAlone() throws Exception {
        String source = Files.readString(SourceTree.path("examples/src/main/java/tidepool/examples/BankTransfer.java"));
        Set<String> imported = new TreeSet<>();
        Matcher imports = IMPORT.matcher(source);
        while (imports.find()) imported.add(imports.group(1));
        assertEquals(Set.of("tidepool", "tidepool.schema"), imported);

        Class<?> main = load(source.replace("package tidepool.examples;", "package app;"), "BankTransfer");
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            main.getMethod("main", String[].class).invoke(null, (Object) new String[] {"mem:"});
        } finally {
            System.setOut(before);
        }
        assertEquals(
                "Account[id=42, balance=5]",
                printed.toString(StandardCharsets.UTF_8).strip());
    }

    @Test
    void aModuleThatRequiresTheApiOpensPools() throws Exception {
        Class<?> main = load(Files.readString(CONSUMER.resolve("app/Main.java")), "Main");

        // The client is the module tidepool.tcp; the node runs on the class path of this test.
        try (MemoryServer node = MemoryServer.start(NodeOptions.onLoopback("n1", 0, 64 << 20))) {
            String shm = "shm:" + folder.resolve("pool") + "?memory=16m";
            String tcp = "tcp://127.0.0.1:" + node.address().getPort() + "/modular?replicas=1&memory=16m";
            for (String url : List.of("mem:", "sim:7", shm, tcp))
                assertEquals(5L, main.getMethod("run", String.class).invoke(null, url), url);
        }
    }

    /** Compiles a class of the module, and loads it with the modules of Tidepool. */
    private Class<?> load(String source, String name) throws Exception {
        List<Path> modules = modules();
        assertTrue(
                ModuleFinder.of(modules.toArray(Path[]::new))
                        .find("tidepool.api")
                        .isPresent(),
                "no module descriptors on the class path: the modules were compiled without them");
        compile(modules, source, name);

        modules.add(folder.resolve("out"));
        ModuleFinder finder = ModuleFinder.of(modules.toArray(Path[]::new));
        ModuleLayer boot = ModuleLayer.boot();
        Configuration configuration = boot.configuration().resolveAndBind(ModuleFinder.of(), finder, Set.of("app"));
        ModuleLayer layer = boot.defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader());
        Class<?> main = layer.findLoader("app").loadClass("app." + name);
        assertTrue(main.getModule().isNamed());
        return main;
    }

    /** Entries of the class path of this test that are modules of Tidepool. */
    private static List<Path> modules() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<Path> found = new ArrayList<>();
        for (String entry : path.split(File.pathSeparator)) {
            Path at = Path.of(entry);
            boolean isModule = Files.exists(at)
                    && ModuleFinder.of(at).findAll().stream()
                            .anyMatch(m -> m.descriptor().name().startsWith("tidepool."));
            if (isModule) found.add(at);
        }
        return found;
    }

    private void compile(List<Path> modules, String source, String name) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("src/app"));
        Path descriptor = CONSUMER.resolve("module-info.java");
        Path program = Files.writeString(sources.resolve(name + ".java"), source);
        List<String> arguments =
                new ArrayList<>(List.of("-d", folder.resolve("out").toString(), "--module-path"));
        arguments.add(String.join(
                File.pathSeparator, modules.stream().map(Path::toString).toList()));
        arguments.addAll(Arrays.asList(descriptor.toString(), program.toString()));
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        assertEquals(0, javac.run(System.out, System.err, arguments.toArray(String[]::new)));
    }
}
