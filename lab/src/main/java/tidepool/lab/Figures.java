package tidepool.lab;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** The figures that can be made, by their numbers in the paper; and who makes them. */
public final class Figures {
    private static final List<Figure> ALL = List.of(
            new LockDuration(),
            new BackupReads(),
            new BackupReadsOfABank(),
            new FlushCost(),
            new Coroutines(),
            new EndToEnd(),
            new Hdtx(),
            new VersionCount(true),
            new VersionCount(false),
            new Structures(),
            new MotorEndToEnd(),
            new MemoryUse(),
            new Isolations(),
            new PersistentMemory(),
            new FaultTimeline(),
            new Anchors());

    private static final String MOTOR = "motor";

    private Figures() {}

    /** All numbers of the paper that there are figures for. */
    public static List<String> numbers() {
        List<String> numbers = new ArrayList<>();
        for (Figure figure : ALL) numbers.addAll(figure.numbers());
        return numbers;
    }

    /**
     * Makes figures. Pools are simulated side by side; what comes out depends on the arguments alone.
     *
     * @param wanted numbers of the paper, or {@code all}
     * @param progress is told what was measured
     * @throws IllegalArgumentException if there is no such figure
     */
    public static List<Findings> make(List<String> wanted, Lab lab, int threads, Consumer<String> progress) {
        List<Findings> made = new ArrayList<>();
        make(wanted, lab, threads, progress, made::add);
        return made;
    }

    /** The same; each figure is told as soon as it is made. */
    public static void make(
            List<String> wanted, Lab lab, int threads, Consumer<String> progress, Consumer<Findings> made) {
        Set<Figure> chosen = choose(wanted);
        MemoryRoom room = MemoryRoom.ofMachine();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (Figure figure : chosen) {
                try {
                    made.accept(figure.findings(measure(figure, lab, pool, room, progress)));
                } catch (RuntimeException | Error e) {
                    pool.shutdownNow();
                    throw e;
                }
            }
        }
    }

    private static Set<Figure> choose(List<String> wanted) {
        Set<Figure> chosen = new LinkedHashSet<>();
        for (String number : wanted) {
            List<Figure> found =
                    ALL.stream().filter(figure -> isMeant(figure, number)).toList();
            if (found.isEmpty())
                throw new IllegalArgumentException("there is no figure '" + number + "' in the lab; there are "
                        + String.join(", ", numbers()) + ", ford, motor and all");
            chosen.addAll(found);
        }
        return chosen;
    }

    /** {@code ford} and {@code motor} are all figures of that paper; FORD's have numbers alone. */
    private static boolean isMeant(Figure figure, String number) {
        String first = figure.numbers().getFirst();
        if (number.equals("ford")) return Character.isDigit(first.charAt(0));
        return number.equals("all")
                || number.equals(MOTOR) && first.startsWith(MOTOR)
                || figure.numbers().contains(number);
    }

    private static Results measure(
            Figure figure, Lab lab, ExecutorService pool, MemoryRoom room, Consumer<String> progress) {
        List<? extends Measurement> jobs = figure.jobs(lab);
        List<Future<List<Results.Point>>> running = new ArrayList<>();
        for (Measurement job : jobs) {
            Callable<List<Results.Point>> run = () -> {
                long bytes = job.bytes();
                room.enter(bytes);
                try {
                    List<Results.Point> points = job.run();
                    progress.accept("figure " + figure.numbers().getFirst() + ": " + job.series());
                    return points;
                } finally {
                    room.leave(bytes);
                }
            };
            running.add(pool.submit(run));
        }
        Results results = new Results();
        try {
            for (int i = 0; i < jobs.size(); i++) {
                results.add(jobs.get(i).series(), running.get(i).get());
                results.notes().addAll(jobs.get(i).notes());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "figure " + figure.numbers().getFirst() + ": " + e.getCause(), e.getCause());
        }
        return results;
    }
}
