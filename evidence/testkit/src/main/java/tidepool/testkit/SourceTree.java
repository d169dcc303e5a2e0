package tidepool.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The checkout whose tests are running: its root, and the folders of its modules. */
public final class SourceTree {
    private static final List<String> FOLDERS = List.of("core", "net", "evidence", "tools");

    private SourceTree() {}

    /** Returns the folder with the launcher. Maven runs the tests of a module in the folder of the module. */
    public static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(folder.resolve("tidepool"))) {
            folder = folder.getParent();
            if (folder == null)
                throw new IllegalStateException(
                        "no launcher above " + Path.of("").toAbsolutePath());
        }
        return folder;
    }

    /** Returns a file or folder of the checkout, such as {@code docs/internals/wire.md}. */
    public static Path path(String relative) {
        return root().resolve(relative);
    }

    /** Returns the folders of all modules. */
    public static List<Path> modules() {
        List<Path> modules = new ArrayList<>(List.of(path("dist"), path("examples")));
        for (String folder : FOLDERS) modules.addAll(list(path(folder)));
        return modules.stream()
                .filter(folder -> Files.isRegularFile(folder.resolve("pom.xml")))
                .toList();
    }

    /** Returns the folders of the projects outside the build, which use the published artifacts. */
    public static List<Path> consumers() {
        return list(path("examples/consumer")).stream()
                .filter(folder -> Files.isDirectory(folder.resolve("src")))
                .toList();
    }

    /** Returns the folder of one module, in whichever of the top-level folders it is. */
    public static Path module(String name) {
        return modules().stream()
                .filter(folder -> folder.endsWith(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no module " + name + " in " + root()));
    }

    private static List<Path> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
