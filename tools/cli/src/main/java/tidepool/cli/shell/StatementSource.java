package tidepool.cli.shell;

import java.util.function.Supplier;

/** The source of statements and the destination of answers: a line editor, or a pipe. */
interface StatementSource extends AutoCloseable {
    /**
     * Waits for the next line. Returns null at the end of input.
     *
     * @param prompt read again whenever it may have changed, by any thread
     */
    String next(Supplier<String> prompt);

    void answer(String text);

    /** Reports why a statement failed. */
    void complain(String sentence);

    /** Reports an event that no statement asked for. May be called by any thread. */
    void notice(String text);

    /** Returns whether a person reads the answers before the next line is entered. */
    boolean isWatched();

    @Override
    void close();
}
