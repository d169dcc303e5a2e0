package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.testkit.ChildProcess;

/** {@code bench} interrupted by ^C, as a process: it prints its figures so far, and leaves no process and no file. */
class BenchInterruptTest {
    private static final int INTERRUPTED = 130;

    private static final List<String> OPTIONS =
            List.of("--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED");

    @TempDir
    Path folder;

    @Test
    void anInterruptedRacePrintsWhatItHas() throws Exception {
        Path json = folder.resolve("r.json");
        ChildProcess bench = start("--seconds", "0.4", "--rounds", "1000", "--json", json.toString());
        List<String> lines = new ArrayList<>();
        for (String line = bench.line(); line != null; line = bench.line()) {
            lines.add(line);
            if (line.matches("round [2-9].*")) break;
        }
        List<ProcessHandle> contenders = bench.descendants();
        assertFalse(contenders.isEmpty());
        Path place = place(contenders);
        assertTrue(Files.isDirectory(place.resolve("pool")));
        interrupt(bench, contenders);
        lines.addAll(bench.lines());

        assertEquals(INTERRUPTED, bench.exitCode());
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
        ChildProcess bench = start("--warm-up", "600");
        String line = bench.line();
        while (line != null && !line.startsWith("warming up")) line = bench.line();
        List<ProcessHandle> contenders = bench.descendants();
        interrupt(bench, contenders);
        List<String> lines = bench.lines();

        assertEquals(INTERRUPTED, bench.exitCode());
        assertEquals("Interrupted before everybody had a round: there are no figures.", lines.getLast());
        for (ProcessHandle contender : contenders) assertFalse(contender.isAlive());
    }

    /** Returns the folder of a contender. Java's own view of a command line is cut off after a long class path. */
    private static Path place(List<ProcessHandle> contenders) throws Exception {
        Path line = Path.of("/proc", Long.toString(contenders.getFirst().pid()), "cmdline");
        for (String argument : Files.readString(line).split("\0"))
            if (argument.endsWith("contender-0")) return Path.of(argument);
        throw new AssertionError("no folder in " + line);
    }

    private static ChildProcess start(String... more) {
        List<String> arguments = new ArrayList<>(List.of("bench", "kvs", "--records", "1000"));
        List<String> given = List.of(more);
        if (!given.contains("--warm-up")) arguments.addAll(List.of("--warm-up", "0.1"));
        arguments.addAll(given);
        return ChildProcess.jvm(OPTIONS, Main.class, arguments.toArray(String[]::new))
                .signalled("INT")
                .start();
    }

    /** As a terminal does: all processes in the foreground get it. */
    private static void interrupt(ChildProcess bench, List<ProcessHandle> contenders) {
        List<ProcessHandle> all = new ArrayList<>(contenders);
        ProcessHandle.of(bench.pid()).ifPresent(all::addFirst);
        ChildProcess.signal("INT", all);
    }
}
