package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Classes that are compiled while the test runs, for shapes that are impractical to write by hand. */
final class Compiled {
    private Compiled() {}

    /** Compiles sources, by file name, into {@code folder/classes}, which it returns. */
    static Path into(Path folder, Map<String, String> sources, String... options) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = folder.resolve("sources").resolve(source.getKey());
            Files.createDirectories(file.getParent());
            files.add(Files.writeString(file, source.getValue()));
        }
        List<String> all = new ArrayList<>(
                List.of("-d", classes.toString(), "-proc:none", "-classpath", System.getProperty("java.class.path")));
        all.addAll(List.of(options));
        StringWriter said = new StringWriter();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            boolean done = compiler.getTask(said, manager, null, all, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
            assertTrue(done, said::toString);
        }
        return classes;
    }
}
