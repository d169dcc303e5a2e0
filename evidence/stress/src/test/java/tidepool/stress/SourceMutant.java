package tidepool.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import tidepool.testkit.SourceTree;

/**
 * Production code with one defect: a source file in which one piece of text is replaced. Only the copy that a test puts
 * first on the class path is broken; the code itself has no switches for bugs.
 */
record SourceMutant(String name, String source, String right, String wrong, String tests) {
    /** Compiles the broken class into the folder. */
    void into(Path folder) throws IOException {
        Path original = SourceTree.path(source);
        String text = Files.readString(original);
        int at = text.indexOf(right);
        if (at < 0 || text.indexOf(right, at + 1) >= 0)
            throw new IllegalStateException("the code moved on, the mutant '" + name + "' has to follow: exactly one '"
                    + right + "' expected in " + source);
        Path broken = folder.resolve("source").resolve(original.getFileName());
        Files.createDirectories(broken.getParent());
        Files.writeString(broken, text.replace(right, wrong));
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-nowarn",
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        folder.toString(),
                        broken.toString());
        if (result != 0) throw new IllegalStateException("the mutant '" + name + "' does not compile");
    }

    @Override
    public String toString() {
        return name;
    }
}
