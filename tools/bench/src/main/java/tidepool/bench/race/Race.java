package tidepool.bench.race;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import tidepool.bench.TemporaryPool;

/**
 * A race of contenders on one workload, each in its own JVM. They work in turns, a round each, so that a disturbance of
 * the machine meets all of them. The relevant figures are ratios within a round. The order of turns moves on with every
 * round. In the end every store is checked.
 */
public final class Race {
    private static final int WARM_UP_PIECES = 4;

    private final RaceOptions options;
    private final Consumer<String> progress;
    private final List<Standing> standings = new ArrayList<>(); // guarded by itself
    private final List<ContenderProcess> processes = new ArrayList<>(); // guarded by itself
    private volatile boolean interrupted;
    private volatile String where = "";

    /** @param progress takes the current activity, and an empty line at the end */
    public Race(RaceOptions options, Consumer<String> progress) {
        this.options = options;
        this.progress = progress;
    }

    /**
     * Runs the race and waits for its end.
     *
     * @param whenInterrupted receives the figures so far if the process is asked to end before the race is over, or a
     *     contender has failed after rounds that count: its pool may be full after hours
     */
    public RaceResult run(Consumer<RaceResult> whenInterrupted) {
        long needed = 0;
        long inside = 0;
        for (RaceEntry entry : options.entries()) {
            needed += Contenders.fileBytes(entry, options);
            inside += Contenders.nativeBytes(entry, options);
        }
        FreeMemory.require(inside);
        Thread hook = new Thread(() -> endEarly(whenInterrupted), "end-early");
        Runtime.getRuntime().addShutdownHook(hook);
        try (TemporaryPool place = TemporaryPool.create(needed)) {
            where = place.folder().toString();
            try {
                load(place.folder());
                race();
            } finally {
                if (!interrupted) endAll();
            }
        } catch (RuntimeException e) {
            // A contender that was killed by the end of this process has not failed.
            while (interrupted) LockSupport.park();
            progress.accept("");
            RaceResult soFar = result(true);
            if (soFar.hasFigures()) whenInterrupted.accept(soFar);
            throw e;
        } finally {
            if (!interrupted) Runtime.getRuntime().removeShutdownHook(hook);
        }
        progress.accept("");
        return result(false);
    }

    /** Returns the figures so far: the rounds that all contenders have had. */
    private RaceResult result(boolean early) {
        synchronized (standings) {
            int rounds = standings.stream()
                    .mapToInt(standing -> standing.rounds().size())
                    .min()
                    .orElse(0);
            return new RaceResult(
                    options, standings.stream().map(one -> one.upTo(rounds)).toList(), early);
        }
    }

    private void endEarly(Consumer<RaceResult> whenInterrupted) {
        interrupted = true;
        endAll();
        progress.accept("");
        whenInterrupted.accept(result(true));
    }

    private void endAll() {
        synchronized (processes) {
            for (ContenderProcess process : processes) process.close();
        }
    }

    private void load(Path folder) {
        long heap = Contenders.heapMegabytes(options);
        int number = 0;
        for (RaceEntry entry : options.entries()) {
            progress.accept("loading " + entry.label());
            ContenderProcess process = start(entry, folder.resolve("contender-" + number++), heap);
            process.awaitReady();
            synchronized (standings) {
                standings.add(new Standing(entry, process.settings(), process.types()));
            }
        }
    }

    private ContenderProcess start(RaceEntry entry, Path folder, long heap) {
        synchronized (processes) {
            if (interrupted) throw new IllegalStateException("interrupted");
            try {
                ContenderProcess process = ContenderProcess.start(entry, Files.createDirectory(folder), options, heap);
                processes.add(process);
                return process;
            } catch (IOException e) {
                throw new UncheckedIOException("no folder for a contender: " + e.getMessage(), e);
            }
        }
    }

    private void race() {
        for (ContenderProcess process : processes) warmUp(process);
        for (int round = 1; round <= options.rounds(); round++) {
            for (int turn = 0; turn < processes.size(); turn++) {
                int i = (turn + round) % processes.size();
                ContenderProcess process = processes.get(i);
                String what = "round " + round + " of " + options.rounds();
                progress.accept(what + ": " + process.entry().label());
                RoundResult result = process.round(options.roundMillis(), live(what, process, options.roundMillis()));
                synchronized (standings) {
                    standings.get(i).add(result);
                }
            }
        }
        for (int i = 0; i < processes.size(); i++) {
            progress.accept("checking " + processes.get(i).entry().label());
            List<String> wrong = processes.get(i).check();
            synchronized (standings) {
                standings.get(i).checked(wrong);
            }
        }
    }

    /**
     * Warms up in pieces like rounds, so that the code at the begin and end of a round is compiled before the first one
     * counts.
     */
    private void warmUp(ContenderProcess process) {
        progress.accept("warming up " + process.entry().label());
        if (!options.cold()) process.warmUp();
        long millis = Math.ceilDiv(options.warmUpMillis(), WARM_UP_PIECES);
        for (int piece = 0; piece < WARM_UP_PIECES && millis > 0; piece++)
            process.round(millis, live("warming up", process, millis));
    }

    private Consumer<RoundProgress> live(String what, ContenderProcess process, long millis) {
        return now -> progress.accept(String.format(
                Locale.ROOT,
                "%s: %s  %3d %%  %,.0f commits/s  p99 %.1f us",
                what,
                process.entry().label(),
                Math.min(100, 100 * now.millis() / millis),
                now.commitsPerSecond(),
                now.p99Nanos() / 1e3));
    }

    /** Returns the folder of its files while it runs, for tests that check its removal. */
    String where() {
        return where;
    }
}
