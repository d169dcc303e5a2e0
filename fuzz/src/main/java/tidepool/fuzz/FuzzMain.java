package tidepool.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs Jazzer on one target, or on all together, in a process of its own: {@code FuzzMain TARGET|all SECONDS SEEDS WORK}.
 * SEEDS is the corpus that is kept, WORK the folder where new inputs and findings go. Ends like Jazzer: 0 if nothing was
 * found.
 */
public final class FuzzMain {
    private FuzzMain() {}

    /** See the class. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        String target = arguments[0];
        if (!target.equals("all") && Targets.make(target) == null) {
            System.err.println("tidepool: no target is called '" + target + "'; there are "
                    + String.join(", ", Targets.names()) + " and all");
            System.exit(2);
        }
        System.exit(run(target, "-max_total_time=" + arguments[1], Path.of(arguments[2]), Path.of(arguments[3])));
    }

    /** @param bound how long, as libFuzzer takes it */
    static int run(String target, String bound, Path seeds, Path work) throws IOException, InterruptedException {
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
        Path kept = seeds.resolve(target).toAbsolutePath();
        if (Files.isDirectory(kept)) command.add(kept.toString());
        return new ProcessBuilder(command)
                .directory(found.toFile())
                .inheritIO()
                .start()
                .waitFor();
    }
}
