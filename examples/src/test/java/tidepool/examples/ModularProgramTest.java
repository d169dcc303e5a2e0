package tidepool.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.testkit.SourceTree;

/**
 * The program of examples/consumer, whose module requires tidepool.api and nothing else. All other tests run on the
 * class path, where a missing 'uses' or 'exports' does not show.
 */
class ModularProgramTest {
    @TempDir
    Path folder;

    @Test
    void aModuleThatRequiresTheApiOpensPools() throws Exception {
        List<Path> modules = modules();
        assumeTrue(
                ModuleFinder.of(modules.toArray(Path[]::new))
                        .find("tidepool.api")
                        .isPresent(),
                "no module descriptors on the class path: the rooms were compiled without them");
        compile(modules);

        modules.add(folder.resolve("out"));
        ModuleFinder finder = ModuleFinder.of(modules.toArray(Path[]::new));
        ModuleLayer boot = ModuleLayer.boot();
        Configuration configuration = boot.configuration().resolveAndBind(ModuleFinder.of(), finder, Set.of("app"));
        ModuleLayer layer = boot.defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader());
        Class<?> main = layer.findLoader("app").loadClass("app.Main");
        assertTrue(main.getModule().isNamed());

        for (String url : List.of("mem:", "sim:7", "shm:" + folder.resolve("pool") + "?memory=16m"))
            assertEquals(5L, main.getMethod("run", String.class).invoke(null, url), url);
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

    private void compile(List<Path> modules) {
        Path sources = SourceTree.path("examples/consumer/src/main/java");
        Path descriptor = sources.resolve("module-info.java");
        Path program = sources.resolve("app/Main.java");
        List<String> arguments =
                new ArrayList<>(List.of("-d", folder.resolve("out").toString(), "--module-path"));
        arguments.add(String.join(
                File.pathSeparator, modules.stream().map(Path::toString).toList()));
        arguments.addAll(Arrays.asList(descriptor.toString(), program.toString()));
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        assertEquals(0, javac.run(System.out, System.err, arguments.toArray(String[]::new)));
    }
}
