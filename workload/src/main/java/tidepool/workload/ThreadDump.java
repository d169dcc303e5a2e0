package tidepool.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a child process prints beside what was agreed on; above all the threads of a JVM that was asked for them. */
final class ThreadDump {
    private static final String LAST_LINE = "JNI global refs";
    private static final int MOST_LINES = 5_000;
    private static final int MOST_WAITS = 100;
    private static final int WAIT_MILLIS = 100;

    private final List<String> lines = new ArrayList<>(); // guarded by this

    synchronized void add(String line) {
        if (lines.size() < MOST_LINES) lines.add(line);
    }

    /** Asks for the threads, and waits a while until they are there: a process that stands still tells nothing. */
    void of(Runnable ask) throws InterruptedException {
        ask.run();
        for (int i = 0; i < MOST_WAITS && !isWhole(); i++) TimeUnit.MILLISECONDS.sleep(WAIT_MILLIS);
    }

    private synchronized boolean isWhole() {
        return lines.stream().anyMatch(line -> line.startsWith(LAST_LINE));
    }

    synchronized String text() {
        StringBuilder text = new StringBuilder();
        for (String line : lines) text.append(line).append('\n');
        return text.toString();
    }
}
