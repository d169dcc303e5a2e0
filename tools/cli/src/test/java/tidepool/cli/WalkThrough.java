package tidepool.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tidepool.testkit.ChildProcess;

/**
 * The commands of a page, and one shell that runs them. A block that is fenced as {@code console} has commands, on
 * lines that begin with {@code $}, and below each the lines that it has to print, in that order; {@code …} stands for
 * anything. All of them run in one shell, as they would for a reader who pastes one after the other.
 */
final class WalkThrough implements AutoCloseable {
    /** A command and its expected output. */
    record Step(String command, List<String> expected) {}

    private final List<String> printed = new ArrayList<>();
    private final ChildProcess shell;
    private int steps;
    private int looked;

    /** @param folder where the commands run; {@code ./tidepool} is there */
    WalkThrough(Path folder) throws IOException {
        Path launcher = folder.resolve("tidepool");
        Files.writeString(launcher, "#!/bin/sh\nexec " + String.join(" ", java()) + " \"$@\"\n");
        if (!launcher.toFile().setExecutable(true)) throw new IOException("cannot make executable: " + launcher);
        shell = ChildProcess.program("bash", "--norc").in(folder).merged().start();
    }

    private static List<String> java() {
        return List.of(
                ChildProcess.java(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                "'" + ChildProcess.classPath() + "'",
                Main.class.getName());
    }

    static List<Step> read(String page) {
        List<Step> steps = new ArrayList<>();
        boolean inside = false;
        boolean continued = false;
        for (String line : page.lines().toList()) {
            if (line.startsWith("```")) inside = line.equals("```console");
            else if (!inside) continue;
            else if (continued) steps.add(new Step(steps.removeLast().command() + "\n" + line, new ArrayList<>()));
            else if (line.startsWith("$ ")) steps.add(new Step(line.substring(2), new ArrayList<>()));
            else if (!line.isBlank()) steps.getLast().expected().add(line);
            continued = inside && line.endsWith("\\");
        }
        return steps;
    }

    /**
     * Runs a command and waits until it has ended; for one in the background, until it has printed its expected output.
     */
    void run(Step step) {
        String mark = "@@" + ++steps + " ";
        shell.tell(step.command() + "\necho \"" + mark + "$?\"");
        int at = looked;
        int end = await(step, at, mark + "\\d+", true);
        String code = printed.get(end).substring(mark.length());
        if (!code.equals("0")) throw wrong(step, "ended with code " + code);
        boolean background = step.command().endsWith("&");
        for (String expected : step.expected()) at = await(step, at, pattern(expected), background) + 1;
        looked = Math.max(at, end + 1);
    }

    private int await(Step step, int begin, String regex, boolean mayCome) {
        Pattern wanted = Pattern.compile(regex);
        for (int at = begin; ; at++) {
            if (at == printed.size()) {
                String line = mayCome ? shell.line() : null;
                if (line == null) throw wrong(step, "no line " + regex);
                printed.add(line);
            }
            if (wanted.matcher(printed.get(at)).matches()) return at;
        }
    }

    static String pattern(String expected) {
        StringBuilder regex = new StringBuilder();
        for (String part : expected.strip().split("…", -1))
            regex.append(regex.isEmpty() ? "\\s*" : ".*").append(Pattern.quote(part));
        return regex.append("\\s*").toString();
    }

    private AssertionError wrong(Step step, String what) {
        String lines = String.join("\n", printed.subList(looked, printed.size()));
        return new AssertionError("'" + step.command() + "': " + what + "; it printed:\n" + lines);
    }

    /** Ends the shell and everything that it started. */
    @Override
    public void close() {
        shell.close();
    }
}
