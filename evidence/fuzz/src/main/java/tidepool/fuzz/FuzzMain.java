package tidepool.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs Jazzer on one target, or on all together, in a process of its own:
 * {@code FuzzMain TARGET|all SECONDS SEEDS WORK}. SEEDS is the corpus that is kept, WORK the folder for new inputs and
 * findings. The exit code is that of Jazzer: 0 if nothing was found.
 */
public final class FuzzMain {
    /** For the start and the end: libFuzzer looks at the time between two inputs, and ends an input of 20 minutes. */
    private static final Duration GRACE = Duration.ofMinutes(30);

    private FuzzMain() {}

    /** Runs with the arguments that the class comment describes. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        String target = arguments[0];
        if (!target.equals("all") && FuzzTargets.make(target) == null) {
            System.err.println("tidepool: no target is called '" + target + "'; there are "
                    + String.join(", ", FuzzTargets.names()) + " and all");
            System.exit(2);
        }
        Duration limit = Duration.ofSeconds(Long.parseLong(arguments[1])).plus(GRACE);
        String bound = "-max_total_time=" + arguments[1];
        System.exit(run(target, bound, limit, Path.of(arguments[2]), Path.of(arguments[3])));
    }

    /**
     * @param bound a limit of time or runs, as an option of libFuzzer
     * @param limit of the wait for its end, after which it is killed
     */
    static int run(String target, String bound, Duration limit, Path seeds, Path work)
            throws IOException, InterruptedException {
        Path found = Files.createDirectories(work.resolve(target)).toAbsolutePath();
        Path inputs = Files.createDirectories(found.resolve("inputs"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+EnableDynamicAgentLoading",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dtidepool.fuzz.target=" + (target.equals("all") ? "" : target),
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + Fed.class.getName(),
                "--instrumentation_includes=tidepool.**",
                "--reproducer_path=" + found));
        command.addAll(List.of(bound, "-artifact_prefix=" + found + "/", "-max_len=4096", inputs.toString()));
        if (target.equals("all")) plantAll(seeds, inputs);
        else command.add(seeds.resolve(target).toAbsolutePath().toString());
        Process fuzzer = new ProcessBuilder(command)
                .directory(found.toFile())
                .inheritIO()
                .start();
        try {
            if (!fuzzer.waitFor(limit))
                throw new IllegalStateException("the fuzzer does not end within " + limit.toSeconds() + " s");
            return fuzzer.exitValue();
        } finally {
            fuzzer.descendants().forEach(ProcessHandle::destroyForcibly);
            fuzzer.destroyForcibly();
        }
    }

    /** Copies the corpus of all targets, each input with the first byte that chooses its target; see {@link Fed}. */
    private static void plantAll(Path seeds, Path inputs) throws IOException {
        List<String> names = FuzzTargets.names();
        for (int i = 0; i < names.size(); i++) {
            try (Stream<Path> files = Files.list(seeds.resolve(names.get(i)))) {
                for (Path file : files.toList()) {
                    ByteArrayOutputStream chosen = new ByteArrayOutputStream();
                    chosen.write(i);
                    chosen.writeBytes(Files.readAllBytes(file));
                    Files.write(inputs.resolve(names.get(i) + "-" + file.getFileName()), chosen.toByteArray());
                }
            }
        }
    }
}
