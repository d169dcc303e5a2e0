package tidepool.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.schema.Schema;
import tidepool.store.TableLayout;

/** Keys typed into the line editor, on a terminal that is two streams. */
class EditedLinesTest {
    private static final String UP = "\033[A";
    private static final String END = "\004";

    @TempDir
    Path folder;

    private PipedOutputStream keys;
    private DumbTerminal terminal;
    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private Path history;
    private EditedLines lines;

    @BeforeEach
    void open() throws IOException {
        history = folder.resolve("history");
        lines = lines(history);
    }

    @Test
    void commandsTablesAndFieldsAreCompleted() {
        assertEquals("describe account ", typed("des\tacc\t\r"));
        assertEquals("put account 1 owner=Ann balance=5", typed("put acc\t1 ow\tAnn b\t5\r"));
        assertEquals("put account 1 owner=Ann active=true ", typed("put account 1 owner=Ann ac\tt\t\r"));
        assertEquals("begin; get account 7", typed("begin; g\tac\t7\r"), "the second statement of a line too");
        assertEquals("create t (a double ", typed("create t (a dou\t\r"));
        assertEquals("get account x", typed("get account x\t\r"), "nothing else is guessed");
    }

    @Test
    void linesAreKeptForTheOwnerAlone() throws IOException {
        assertEquals("get account 1", typed("get account 1\r"));
        assertEquals("put account 1 owner='Hi!!'", typed("put account 1 owner='Hi!!'\r"));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(history)));
        assertEquals(List.of("get account 1", "put account 1 owner='Hi!!'"), Files.readAllLines(history));
    }

    @Test
    void theNextShellKnowsThem() throws IOException {
        Files.writeString(history, "get account 42\n");
        Files.setPosixFilePermissions(history, PosixFilePermissions.fromString("rw-r--r--"));
        lines = lines(history);

        assertEquals("get account 42", typed(UP + "\r"));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(history)));
    }

    @Test
    void withoutHistoryNothingIsKept() throws IOException {
        lines = lines(null);
        assertEquals("get account 1", typed("get account 1\r"));

        assertEquals("", Files.readString(history), "the file of the shell before");
    }

    @Test
    void aHistoryThatCannotBeWrittenIsSaidOnce() throws IOException {
        lines = lines(folder.resolve("missing").resolve("history"));

        assertEquals("tables", typed("tables\r"));
        assertTrue(screen().contains("lines are not kept: "), screen());
    }

    @Test
    void interruptCancelsTheLineAndEndLeaves() throws Exception {
        Thread interrupt = whenShown("put account 1", () -> terminal.raise(Terminal.Signal.INT));
        assertEquals("", typed("put account 1"));
        interrupt.join();
        assertEquals("tables", typed("tables\r"));
        assertNull(typed(END));
    }

    /** A notice during typing is printed above the line, and the prompt is the new one. */
    @Test
    void noticesLeaveTheLineAsItIs() throws Exception {
        String[] prompt = {"old> "};
        Thread told = whenShown("get acc", () -> {
            prompt[0] = "new> ";
            lines.notice("it is over");
            press("\t1\r");
        });
        press("get acc");

        assertEquals("get account 1", lines.next(() -> prompt[0]));
        told.join();
        assertTrue(screen().contains("it is over"), screen());
        assertTrue(screen().contains("new> get acc"), screen());
    }

    private EditedLines lines(Path file) throws IOException {
        keys = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(keys, 1 << 16);
        terminal = new DumbTerminal("test", "ansi", in, screen, StandardCharsets.UTF_8);
        terminal.setSize(new Size(80, 24));
        Attributes attributes = terminal.getAttributes();
        attributes.setControlChar(Attributes.ControlChar.VEOF, END.charAt(0));
        terminal.setAttributes(attributes);
        TableLayout account = new TableLayout(
                1, Schema.parse("account(owner:string[16], balance:long, active:boolean)"), 1, 1, 8, 1, 0);
        return new EditedLines(terminal, file, () -> List.of(account));
    }

    private String typed(String text) {
        press(text);
        return lines.next(() -> "> ");
    }

    private void press(String text) {
        try {
            keys.write(text.getBytes(StandardCharsets.UTF_8));
            keys.flush();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Thread whenShown(String text, Runnable work) {
        return Thread.ofPlatform().daemon().start(() -> {
            while (!screen().contains(text)) LockSupport.parkNanos(1_000_000);
            work.run();
        });
    }

    private String screen() {
        return screen.toString(StandardCharsets.UTF_8);
    }
}
