package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The output of the command for people: help, and sentences for errors. */
class MainTest {
    /** The exit code and output of one run of the command. */
    record Seen(int exitCode, String out, String err) {}

    /** A user who types nothing gets the list of commands. */
    @Test
    void helpListsExactlyTheCommandsThatExist() {
        Seen seen = run("--help");

        assertEquals(0, seen.exitCode());
        List<String> listed = seen.out()
                .lines()
                .dropWhile(line -> !line.startsWith("Commands:"))
                .skip(1)
                .map(line -> line.strip().split(" ", 2)[0])
                .toList();
        assertEquals(List.copyOf(Main.commandLine().getSubcommands().keySet()), listed);
        assertEquals(seen.out(), run().out());
    }

    @Test
    void everyCommandHasHelp() {
        for (String command : Main.commandLine().getSubcommands().keySet()) {
            Seen seen = run(command, "--help");

            assertEquals(0, seen.exitCode(), command);
            assertTrue(seen.out().startsWith("Usage: tidepool " + command), seen.out());
        }
    }

    /** Picocli formats descriptions, and reports format errors on the standard error. */
    @Test
    void helpCausesNoComplaints() {
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(complaints, true, StandardCharsets.UTF_8));
        try {
            assertTrue(helpOf(Main.commandLine()) > 20, "commands and those below them");
        } finally {
            System.setErr(before);
        }
        assertEquals("", complaints.toString(StandardCharsets.UTF_8));
    }

    private static int helpOf(CommandLine command) {
        command.getUsageMessage();
        return 1
                + command.getSubcommands().values().stream()
                        .mapToInt(MainTest::helpOf)
                        .sum();
    }

    @Test
    void versionNamesTheVersion() {
        Seen seen = run("--version");

        assertEquals(0, seen.exitCode());
        assertTrue(seen.out().matches("tidepool \\d+\\.\\d+\\.\\d+\\S*(, commit \\S+)?\\R"), seen.out());
    }

    @Test
    void unknownOptionSuggestsTheNearest() {
        assertRefused("tidepool: unknown option '--hepl'; did you mean '--help'?", run("--hepl"));
        assertRefused("tidepool: unknown option '--hepl'; did you mean '--help'?", run("completion", "--hepl"));
    }

    @Test
    void unknownCommandSuggestsTheNearest() {
        assertRefused("tidepool: unknown command 'tset'; did you mean 'test'?", run("tset"));
    }

    /** A wild guess is worse than a pointer to the help. */
    @Test
    void nothingNearPointsToTheHelp() {
        assertRefused("tidepool: unknown command 'xyzzy'; see 'tidepool --help'", run("xyzzy"));
        assertRefused(
                "tidepool: unexpected argument 'xyzzy'; see 'tidepool completion --help'", run("completion", "xyzzy"));
    }

    @Test
    void completionPrintsAScript() {
        Seen seen = run("completion");

        assertEquals(0, seen.exitCode());
        assertTrue(seen.out().startsWith("#!/usr/bin/env bash"), seen.out());
        assertTrue(seen.out().contains("complete -F _complete_tidepool"), seen.out());
    }

    /** The user did something that the user can put right: a sentence, the wished exit code, no stack trace. */
    @Test
    void userErrorIsOneSentence() {
        Seen seen = runFailing(new UserError("no such file: x", 3));

        assertEquals(new Seen(3, "", "tidepool: no such file: x" + System.lineSeparator()), seen);
    }

    /** We did something wrong: still a sentence, and the way to learn more. */
    @Test
    void unexpectedExceptionIsOneSentence() {
        String expected = "tidepool: lost (--debug shows where)" + System.lineSeparator();

        assertEquals(new Seen(1, "", expected), runFailing(new IllegalStateException("lost")));
        assertEquals(new Seen(1, "", expected), runFailing(new AssertionError("lost")));
    }

    @Test
    void debugShowsTheStackTrace() {
        Seen seen = runFailing(new IllegalStateException("lost"), "--debug");

        assertEquals(1, seen.exitCode());
        assertTrue(seen.err().contains("at tidepool.cli.MainTest"), seen.err());
        assertTrue(seen.err().endsWith("tidepool: lost" + System.lineSeparator()), seen.err());
    }

    /** The launcher carries these out; a user who starts the jar directly is told so. */
    @Test
    void commandsOfTheLauncherSaySo() {
        Seen seen = run("test");

        assertEquals(1, seen.exitCode());
        assertEquals(
                "tidepool: 'test' is done by the launcher: run ./tidepool test",
                seen.err().strip());
    }

    private static void assertRefused(String sentence, Seen seen) {
        assertEquals(new Seen(2, "", sentence + System.lineSeparator()), seen);
        assertFalse(seen.err().contains("\tat "), seen.err());
    }

    private static Seen run(String... arguments) {
        return run(Main.commandLine(), arguments);
    }

    @Command(name = "fail")
    record Failing(Throwable failure) implements Runnable {
        @Override
        public void run() {
            if (failure instanceof Error error) throw error;
            throw (RuntimeException) failure;
        }
    }

    private static Seen runFailing(Throwable failure, String... arguments) {
        CommandLine commandLine = Main.commandLine();
        commandLine.addSubcommand(new Failing(failure));
        String[] all = new String[arguments.length + 1];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "fail";
        return run(commandLine, all);
    }

    private static Seen run(CommandLine commandLine, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Main.run(commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)), arguments);
        return new Seen(exitCode, out.toString(), err.toString());
    }
}
