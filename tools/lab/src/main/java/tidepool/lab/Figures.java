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

/** The figures that can be made, by their numbers in the paper, and the code that makes them. */
public final class Figures {
    private static final List<Figure> ALL = List.of(
            new LockDuration(),
            new BackupReads(),
            new BackupReadsOfABank(),
            new FlushCost(),
            new Coroutines(),
            new EndToEnd(),
            new HdtxFigures(),
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

    /** Returns all numbers of the paper for which there are figures. */
    public static List<String> numbers() {
        List<String> numbers = new ArrayList<>();
        for (Figure figure : ALL) numbers.addAll(figure.numbers());
        return numbers;
    }

    /**
     * Makes figures. Pools are simulated concurrently; the results depend on the arguments alone.
     *
     * @param wanted numbers of the paper, or {@code all}
     * @param progress receives the name of each finished measurement
     * @throws IllegalArgumentException if there is no such figure
     */
    public static List<FigureResult> make(List<String> wanted, Lab lab, int threads, Consumer<String> progress) {
        List<FigureResult> made = new ArrayList<>();
        make(wanted, lab, threads, progress, made::add);
        return made;
    }

    /** Makes figures, and passes each to {@code made} as soon as it is finished. */
    public static void make(
            List<String> wanted, Lab lab, int threads, Consumer<String> progress, Consumer<FigureResult> made) {
        Set<Figure> chosen = choose(wanted);
        MemoryRoom room = MemoryRoom.ofMachine();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (Figure figure : chosen) {
                try {
                    made.accept(figure.result(measure(figure, lab, pool, room, progress)));
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

    /**
     * Returns whether a number selects a figure. {@code ford} and {@code motor} select all figures of that paper;
     * FORD's figures have plain numbers.
     */
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
