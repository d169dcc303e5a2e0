package tidepool.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The output of a child process that is not part of its line protocol, above all the thread dump of a JVM. */
final class ThreadDump {
    private static final String LAST_LINE = "JNI global refs";
    private static final int MAX_LINES = 5_000;
    private static final int MAX_WAITS = 100;
    private static final int WAIT_MILLIS = 100;

    private final List<String> lines = new ArrayList<>(); // guarded by this

    synchronized void add(String line) {
        if (lines.size() < MAX_LINES) lines.add(line);
    }

    /** Asks for the threads and waits for them a limited time, because a stopped process prints nothing. */
    void of(Runnable ask) throws InterruptedException {
        ask.run();
        for (int i = 0; i < MAX_WAITS && !isWhole(); i++) TimeUnit.MILLISECONDS.sleep(WAIT_MILLIS);
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
