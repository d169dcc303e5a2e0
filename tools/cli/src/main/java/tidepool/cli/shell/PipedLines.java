package tidepool.cli.shell;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/**
 * Statements from a file or a pipe. There is no prompt. Answers go to the one stream, errors with their line number to
 * the other.
 */
final class PipedLines implements StatementSource {
    private final BufferedReader in;
    private final PrintWriter out;
    private final PrintWriter err;
    private int line;

    PipedLines(Reader in, PrintWriter out, PrintWriter err) {
        this.in = new BufferedReader(in);
        this.out = out;
        this.err = err;
    }

    @Override
    public String next(Supplier<String> prompt) {
        try {
            line++;
            return in.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void answer(String text) {
        out.println(text);
        out.flush();
    }

    @Override
    public void complain(String sentence) {
        err.println("line " + line + ": " + sentence);
        err.flush();
    }

    @Override
    public void notice(String text) {
        err.println(text);
        err.flush();
    }

    @Override
    public boolean isWatched() {
        return false;
    }

    @Override
    public void close() {
        out.flush();
        err.flush();
    }
}
