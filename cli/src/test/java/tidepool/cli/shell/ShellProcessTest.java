package tidepool.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidepool.cli.Main;

/** The command itself, in processes of their own, through pipes. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShellProcessTest {
    private static final Path SESSIONS = Path.of("src", "test", "resources", "tidepool", "cli", "shell");

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        for (Process each : started) each.destroyForcibly().waitFor();
    }

    /** The whole session as a person would read it, answers and complaints in their order. */
    @Test
    void aPipedSessionAnswersAsWritten() throws Exception {
        Process shell = start("shm:" + folder.resolve("pool") + "?memory=256k", true);
        try (Writer in = shell.outputWriter(StandardCharsets.UTF_8)) {
            in.write(Files.readString(SESSIONS.resolve("session.txt")));
        }
        String seen = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertEquals(1, exitCode(shell), "some of its statements fail");
        assertEquals(Files.readString(SESSIONS.resolve("session.expected")), seen);
    }

    /** Nothing but the answer: no prompt, no escape codes, no words of the line editor. */
    @Test
    void answersInAPipeArePlain() throws Exception {
        Process shell = start("mem:", true);
        try (Writer in = shell.outputWriter()) {
            in.write("create t (a int); put t 1 a=5; get t 1\n");
        }

        assertEquals(
                List.of("created t (a int) with room for 1000 records", "inserted t 1", "t 1 a=5"),
                shell.inputReader().lines().toList());
        assertEquals(0, exitCode(shell));
    }

    /** Two people at two terminals: the second learns who has the lock, and gets it when the first is done. */
    @Test
    void twoShellsMeetEachOthersLock() throws Exception {
        String url = "shm:" + folder.resolve("pool") + "?memory=256k&timeout=50ms";
        Talk one = new Talk(start(url, true));
        assertEquals("created t (a int) with room for 1000 records", one.say("create t (a int)"));
        assertEquals("inserted t 1", one.say("put t 1 a=1"));
        Talk two = new Talk(start(url, true));
        assertEquals("begun", one.say("begin"));
        assertEquals("updated t 1", one.say("put t 1 a=2"));

        String unread = two.say("get t 1");
        assertTrue(unread.matches("line 1: a transaction of session \\d+ has locked what is to be read.*"), unread);
        String met = two.say("put t 1 a=3");
        assertTrue(met.matches("line 2: a transaction of session \\d+ has locked what is to be written.*"), met);
        assertEquals("begun", two.say("begin"));
        String aborted = two.say("put t 1 a=3");
        assertTrue(aborted.contains("the transaction was aborted: a transaction of session "), aborted);
        assertEquals("rolled back: nothing was applied", two.say("rollback"));

        assertEquals("committed", one.say("commit"));
        assertEquals("updated t 1", two.say("put t 1 a=3"));
        assertEquals("t 1 a=3", one.say("get t 1"));
    }

    /** A shell that is killed leaves a lock, and whoever comes next gets past it. */
    @Test
    void theLockOfAKilledShellIsTakenOver() throws Exception {
        String url = "shm:" + folder.resolve("pool") + "?memory=256k";
        Talk one = new Talk(start(url, true));
        one.say("create t (a int)");
        one.say("put t 1 a=1");
        one.say("begin");
        assertEquals("updated t 1", one.say("put t 1 a=2"));
        one.process.destroyForcibly().waitFor();

        Process two = start(url, false);
        try (Writer in = two.outputWriter()) {
            in.write("get t 1; put t 1 a=3; get t 1\n");
        }
        assertEquals(
                List.of("t 1 a=1", "updated t 1", "t 1 a=3"),
                two.inputReader().lines().toList());
        assertEquals(0, exitCode(two));
    }

    @Test
    void whatCannotBeOpenedIsSaidInASentence() throws Exception {
        assertFailure(2, "tidepool: unknown fabric 'nosuch:' in nosuch:x; known: ", "nosuch:x");
        assertFailure(2, "tidepool: not a pool URL: 'bank'; write mem:, shm:PATH", "bank");
        assertFailure(1, "tidepool: the pool cannot be opened: ", "shm:" + folder.resolve("no/such/place"));
        assertFailure(
                2, "tidepool: --idle takes a time such as 500us, 20ms, 2s or 1min, not '5'", "mem:", "--idle", "5");
    }

    private void assertFailure(int exitCode, String sentence, String... arguments) throws Exception {
        Process shell = start(List.of(arguments), true);
        shell.getOutputStream().close();
        List<String> lines = shell.inputReader().lines().toList();

        assertEquals(1, lines.size(), lines.toString());
        assertTrue(lines.getFirst().startsWith(sentence), lines.toString());
        assertEquals(exitCode, exitCode(shell));
    }

    /** A line in, a line out. */
    private record Talk(Process process, Writer in, BufferedReader out) {
        Talk(Process process) {
            this(process, process.outputWriter(), process.inputReader());
        }

        String say(String line) throws IOException {
            in.write(line + "\n");
            in.flush();
            return out.readLine();
        }
    }

    private Process start(String url, boolean errorsToo) throws IOException {
        return start(List.of(url), errorsToo);
    }

    private Process start(List<String> arguments, boolean errorsToo) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-Dstdout.encoding=UTF-8",
                "-Dstderr.encoding=UTF-8",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName(),
                "shell"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(errorsToo);
        if (!errorsToo) builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("HOME", folder.toString());
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private static int exitCode(Process process) throws InterruptedException {
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it ends");
        return process.exitValue();
    }
}
