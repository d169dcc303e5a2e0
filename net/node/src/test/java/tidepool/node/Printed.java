package tidepool.node;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** A log handler that keeps all log output, at the finest level, and the exceptions that a test has caught. */
final class Printed extends Handler implements AutoCloseable {
    private final StringBuffer text = new StringBuffer();
    private final SimpleFormatter format = new SimpleFormatter();
    private final Logger logger = Logger.getLogger("tidepool");
    private final Level before = logger.getLevel();

    Printed() {
        setLevel(Level.ALL);
        logger.setLevel(Level.ALL);
        logger.addHandler(this);
    }

    String text() {
        return text.toString();
    }

    void say(String what) {
        text.append(what).append('\n');
    }

    /** Runs a task that must fail, and keeps the text of the exception with all its causes. */
    void fails(Callable<?> attempt) throws Exception {
        try {
            attempt.call();
        } catch (RuntimeException e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace, true));
            say(trace.toString());
            return;
        }
        throw new AssertionError("it did not fail");
    }

    @Override
    public void publish(LogRecord entry) {
        text.append(format.format(entry));
    }

    @Override
    public void flush() {
        // Nothing is buffered.
    }

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setLevel(before);
    }
}
