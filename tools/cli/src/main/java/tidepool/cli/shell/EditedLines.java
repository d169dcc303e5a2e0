package tidepool.cli.shell;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import tidepool.store.TableLayout;

/** Statements typed at a terminal, with history and completion. ^C cancels the line, ^D leaves. */
final class EditedLines implements StatementSource {
    private static final int INTERRUPTED = 130;
    private static final int HISTORY_LINES = 2000;

    private final Terminal terminal;
    private final LineReaderImpl reader;
    private final AtomicInteger interrupts = new AtomicInteger(); // interrupts since the last line was read
    private volatile Supplier<String> prompt;
    private volatile boolean reading;

    /** @param history the file of typed lines; null for none */
    EditedLines(Terminal terminal, Path history, Supplier<List<TableLayout>> tables) {
        this.terminal = terminal;
        LineReaderBuilder builder = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName("tidepool")
                .parser(TypedLine.PARSER)
                .completer(new Completions(tables))
                // An exclamation mark in a text has no special meaning.
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .option(LineReader.Option.HISTORY_TIMESTAMPED, false)
                .option(LineReader.Option.CASE_INSENSITIVE, true)
                .variable(LineReader.HISTORY_SIZE, HISTORY_LINES)
                .variable(LineReader.HISTORY_FILE_SIZE, HISTORY_LINES);
        if (history != null && HistoryFile.prepare(history)) builder.variable(LineReader.HISTORY_FILE, history);
        else if (history != null) notice("lines are not kept: " + history + " cannot be written");
        reader = (LineReaderImpl) builder.build(); // setPrompt is missing from its interface
        terminal.handle(Terminal.Signal.INT, _ -> interruptedAtWork());
    }

    /** Returns the terminal from which this process was started. Loads no native library for it. */
    static Terminal ownTerminal() {
        try {
            return TerminalBuilder.builder()
                    .name("tidepool")
                    .system(true)
                    .jni(false)
                    .jna(false)
                    .jansi(false)
                    .dumb(true)
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String next(Supplier<String> shown) {
        prompt = shown;
        reading = true;
        try {
            return reader.readLine(shown.get());
        } catch (UserInterruptException e) {
            return "";
        } catch (EndOfFileException e) {
            return null;
        } finally {
            reading = false;
            interrupts.set(0);
        }
    }

    /**
     * Called on ^C during a statement. Verbs that were sent cannot be taken back, and the statement ends within its
     * time-out. A second ^C ends the process; other sessions then recover this one.
     */
    private void interruptedAtWork() {
        if (interrupts.incrementAndGet() > 1) Runtime.getRuntime().halt(INTERRUPTED);
        notice("the statement is under way and ends within its time-out; ^C again leaves at once");
    }

    @Override
    public void answer(String text) {
        terminal.writer().println(text);
        terminal.flush();
    }

    @Override
    public void complain(String sentence) {
        AttributedString red = new AttributedString(sentence, AttributedStyle.DEFAULT.foreground(AttributedStyle.RED));
        answer(red.toAnsi(terminal));
    }

    @Override
    public void notice(String text) {
        if (!reading) {
            answer(text);
            return;
        }
        reader.setPrompt(prompt.get());
        reader.printAbove(text);
    }

    @Override
    public boolean isWatched() {
        return true;
    }

    @Override
    public void close() {
        try {
            terminal.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
