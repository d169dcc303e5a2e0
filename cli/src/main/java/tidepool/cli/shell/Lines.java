package tidepool.cli.shell;

import java.util.function.Supplier;

/** Where statements come from and answers go to: a line editor, or a pipe. */
interface Lines extends AutoCloseable {
    /**
     * The next line; null when there is none any more. Waits.
     *
     * @param prompt asked again when it may have become another, by any thread
     */
    String next(Supplier<String> prompt);

    void answer(String text);

    /** Says why a statement was not done. */
    void complain(String sentence);

    /** Says something that nobody has asked for. May be called by any thread. */
    void notice(String text);

    /** Whether a person reads the answers before the next line comes. */
    boolean isWatched();

    @Override
    void close();
}
