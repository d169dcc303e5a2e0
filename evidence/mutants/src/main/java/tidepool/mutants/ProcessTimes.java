package tidepool.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The times of a process: what it has used of processors, and what it has waited otherwise. On Linux the time in which
 * a runnable thread waits for a processor is neither. A machine with other work to do would otherwise look like a test
 * that hangs.
 *
 * @param wallNanos a clock
 * @param usedNanos processor time
 * @param queuedNanos how long its threads waited for a processor; 0 where the system does not tell
 */
record ProcessTimes(long wallNanos, long usedNanos, long queuedNanos) {
    /** Seconds of waiting that count as one second of processor time. */
    static final int WAITING = 5;

    static ProcessTimes of(ProcessHandle process) {
        long used = process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
        return new ProcessTimes(System.nanoTime(), used, queuedNanos(process.pid()));
    }

    /** Returns what counts of the time since an earlier moment. */
    long since(ProcessTimes begun) {
        long used = usedNanos - begun.usedNanos;
        // A thread that has ended takes its time in the queue with it.
        long queued = Math.max(0, queuedNanos - begun.queuedNanos);
        return Math.max(used, (wallNanos - begun.wallNanos - used - queued) / WAITING);
    }

    private static long queuedNanos(long process) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(process), "task"))) {
            long sum = 0;
            for (Path thread : threads.toList()) sum += queuedNanos(thread.resolve("schedstat"));
            return sum;
        } catch (IOException | java.io.UncheckedIOException e) {
            return 0; // another system, or the process is over
        }
    }

    /** The file has one line: nanoseconds on a processor, nanoseconds in the queue, number of turns. */
    private static long queuedNanos(Path file) throws IOException {
        try {
            List<String> lines = Files.readAllLines(file);
            return lines.isEmpty() ? 0 : Long.parseLong(lines.getFirst().split(" ", -1)[1]);
        } catch (NoSuchFileException e) {
            return 0; // the thread has ended
        }
    }
}
