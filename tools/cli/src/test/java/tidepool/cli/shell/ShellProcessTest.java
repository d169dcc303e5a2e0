package tidepool.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.cli.Main;
import tidepool.testkit.ChildProcess;
import tidepool.testkit.ChildStart;

/** The command itself, in processes of their own, through pipes. */
class ShellProcessTest {
    private static final Path SESSIONS = Path.of("src", "test", "resources", "tidepool", "cli", "shell");
    private static final List<String> OPTIONS = List.of(
            "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dstdout.encoding=UTF-8",
            "-Dstderr.encoding=UTF-8");

    @TempDir
    Path folder;

    private final List<ChildProcess> started = new ArrayList<>();

    @AfterEach
    void end() {
        for (ChildProcess each : started) each.close();
    }

    /** The whole session as a person would read it, answers and complaints in their order. */
    @Test
    void aPipedSessionAnswersAsWritten() throws Exception {
        ChildProcess shell = start("shm:" + folder.resolve("pool") + "?memory=256k", true);
        String seen =
                shell.finish(Files.readString(SESSIONS.resolve("session.txt"))).rest();

        assertEquals(1, shell.exitCode(), "some of its statements fail");
        assertEquals(Files.readString(SESSIONS.resolve("session.expected")), seen);
    }

    /** Nothing but the answer: no prompt, no escape codes, no words of the line editor. */
    @Test
    void answersInAPipeArePlain() throws Exception {
        ChildProcess shell = start("mem:", true).finish("create t (a int); put t 1 a=5; get t 1\n");

        assertEquals(List.of("created t (a int) with room for 1000 records", "inserted t 1", "t 1 a=5"), shell.lines());
        assertEquals(0, shell.exitCode());
    }

    /**
     * Two people at two terminals: the second learns which session holds the lock, and gets it when the first is done.
     */
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

    /** A shell that is killed leaves a lock, and the next session recovers it. */
    @Test
    void theLockOfAKilledShellIsTakenOver() throws Exception {
        String url = "shm:" + folder.resolve("pool") + "?memory=256k";
        Talk one = new Talk(start(url, true));
        one.say("create t (a int)");
        one.say("put t 1 a=1");
        one.say("begin");
        assertEquals("updated t 1", one.say("put t 1 a=2"));
        one.process.kill();

        ChildProcess two = start(url, false).finish("get t 1; put t 1 a=3; get t 1\n");
        assertEquals(List.of("t 1 a=1", "updated t 1", "t 1 a=3"), two.lines());
        assertEquals(0, two.exitCode());
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
        ChildProcess shell = start(List.of(arguments), true).finish("");
        List<String> lines = shell.lines();

        assertEquals(1, lines.size(), lines.toString());
        assertTrue(lines.getFirst().startsWith(sentence), lines.toString());
        assertEquals(exitCode, shell.exitCode());
    }

    /** A line in, a line out. */
    private record Talk(ChildProcess process) {
        String say(String line) {
            process.tell(line);
            return process.line();
        }
    }

    private ChildProcess start(String url, boolean errorsToo) {
        return start(List.of(url), errorsToo);
    }

    private ChildProcess start(List<String> arguments, boolean errorsToo) {
        List<String> all = new ArrayList<>(List.of("shell"));
        all.addAll(arguments);
        ChildStart start = ChildProcess.jvm(OPTIONS, Main.class, all.toArray(String[]::new))
                .with("HOME", folder.toString());
        ChildProcess process = (errorsToo ? start.merged() : start).start();
        started.add(process);
        return process;
    }
}
