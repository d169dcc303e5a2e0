package tidepool.mutants;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The driver's side of a {@link SharedRun}. A child that has failed to decide is ended, and another one started. */
final class SharedChild implements AutoCloseable {
    private final Children children;
    private final Function<Path, String> classPath;

    /** First on the class path, so that processes which a test starts have the changed class. */
    private final Path folder;

    private final Path files;
    private Process child;
    private Writer orders;

    /** @param classPath returns the class path with a folder in front */
    SharedChild(Children children, Function<Path, String> classPath) throws IOException {
        this.children = children;
        this.classPath = classPath;
        this.folder = Files.createTempDirectory("mutants");
        this.files = Files.createTempDirectory("trials");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", SharedRun.class.getName());
        manifest.getMainAttributes().putValue("Can-Redefine-Classes", "true");
        try (OutputStream jar = Files.newOutputStream(agent())) {
            new JarOutputStream(jar, manifest).close();
        }
    }

    private Path agent() {
        return files.resolve("agent.jar");
    }

    /**
     * Runs test classes with a changed class until one fails; their lines go to a file.
     *
     * @param type the internal name of the class
     */
    Children.End run(
            String type,
            byte[] changed,
            byte[] original,
            Path lines,
            List<String> tests,
            long seconds,
            ToLongFunction<String> classMillis)
            throws IOException, InterruptedException {
        if (child == null || !child.isAlive()) start();
        Path first = MutantsMain.write(folder, type, changed);
        Children.End end = null;
        try {
            order(type, changed, original, lines, tests);
            end = Children.waitFor(child, lines, Duration.ofSeconds(seconds), classMillis, SharedRun.DONE);
            if (end == null) end = end(lines);
            return end;
        } finally {
            Files.delete(first);
            if (end != Children.End.PASSED && end != Children.End.FAILED) stop();
        }
    }

    private static Children.End end(Path lines) throws IOException {
        List<String> all = Files.readAllLines(lines);
        String last = all.isEmpty() ? "" : all.getLast();
        if (last.startsWith(SharedRun.UNSURE)) return Children.End.UNSURE;
        return switch (last) {
            case SharedRun.PASSED -> Children.End.PASSED;
            case SharedRun.FAILED -> Children.End.FAILED;
            default -> Children.End.BROKE;
        };
    }

    private void order(String type, byte[] changed, byte[] original, Path lines, List<String> tests)
            throws IOException {
        Path names = Files.write(files.resolve("tests"), tests);
        Path to = Files.write(files.resolve("changed"), changed);
        Path from = Files.write(files.resolve("original"), original);
        orders.write(String.join("\t", "" + lines, "" + names, type.replace('/', '.'), to.toString(), from.toString()));
        orders.write("\n");
        orders.flush();
    }

    private void start() throws IOException {
        child = children.start(classPath.apply(folder), List.of("-javaagent:" + agent()), SharedRun.class, List.of());
        orders = child.outputWriter(StandardCharsets.UTF_8);
    }

    private void stop() throws InterruptedException {
        if (child != null) Children.kill(child);
        child = null;
    }

    @Override
    public void close() throws IOException {
        try {
            stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Children.delete(folder);
        Children.delete(files);
    }
}
