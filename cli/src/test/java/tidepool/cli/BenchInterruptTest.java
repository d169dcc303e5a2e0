package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench} told to end by ^C, as a process: it prints what it has, and nobody and nothing stays behind. */
class BenchInterruptTest {
    private static final int INTERRUPTED = 130;

    @TempDir
    Path folder;

    @Test
    void anInterruptedRacePrintsWhatItHas() throws Exception {
        Path json = folder.resolve("r.json");
        Process bench = start("--seconds", "0.4", "--rounds", "1000", "--json", json.toString());
        List<String> lines = new ArrayList<>();
        BufferedReader output = bench.inputReader();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            lines.add(line);
            if (line.matches("round [2-9].*")) break;
        }
        List<ProcessHandle> contenders = bench.descendants().toList();
        assertFalse(contenders.isEmpty());
        Path place = place(contenders);
        assertTrue(Files.isDirectory(place.resolve("pool")));
        interrupt(bench, contenders);
        output.lines().forEach(lines::add);

        assertEquals(INTERRUPTED, waitFor(bench));
        String seen = String.join("\n", lines);
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("ford/shm ")), seen);
        assertTrue(seen.contains("Interrupted: these are the rounds that everybody has had."), seen);
        assertFalse(seen.contains("failed"), seen);
        assertTrue(Files.readString(json).contains("\"interrupted\" : true"));
        assertFalse(Files.exists(place.getParent()), "its files are gone");
        for (ProcessHandle contender : contenders) assertFalse(contender.isAlive());
    }

    @Test
    void interruptedBeforeTheFirstRoundItSaysThatThereIsNothing() throws Exception {
        Process bench = start("--warm-up", "600");
        BufferedReader output = bench.inputReader();
        String line = output.readLine();
        while (line != null && !line.startsWith("warming up")) line = output.readLine();
        List<ProcessHandle> contenders = bench.descendants().toList();
        interrupt(bench, contenders);
        List<String> lines = output.lines().toList();

        assertEquals(INTERRUPTED, waitFor(bench));
        assertEquals("Interrupted before everybody had a round: there are no figures.", lines.getLast());
        for (ProcessHandle contender : contenders) assertFalse(contender.isAlive());
    }

    /** The folder that a contender was given. Java's own view of a command line ends behind a long class path. */
    private static Path place(List<ProcessHandle> contenders) throws Exception {
        Path line = Path.of("/proc", Long.toString(contenders.getFirst().pid()), "cmdline");
        for (String argument : Files.readString(line).split("\0"))
            if (argument.endsWith("contender-0")) return Path.of(argument);
        throw new AssertionError("no folder in " + line);
    }

    private Process start(String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName()));
        command.addAll(List.of("bench", "kvs", "--records", "1000", "--warm-up", "0.1"));
        List<String> given = List.of(more);
        if (given.contains("--warm-up"))
            command.subList(command.size() - 2, command.size()).clear();
        command.addAll(given);
        return new ProcessBuilder(command)
                .redirectError(folder.resolve("errors").toFile())
                .start();
    }

    /** As a terminal does: everybody in the foreground gets it. */
    private static void interrupt(Process bench, List<ProcessHandle> contenders) throws Exception {
        List<String> command = new ArrayList<>(List.of("kill", "-INT", Long.toString(bench.pid())));
        for (ProcessHandle contender : contenders) command.add(Long.toString(contender.pid()));
        assertEquals(0, new ProcessBuilder(command).start().waitFor());
    }

    private static int waitFor(Process bench) throws InterruptedException {
        if (!bench.waitFor(60, TimeUnit.SECONDS)) bench.destroyForcibly();
        return bench.waitFor();
    }
}
