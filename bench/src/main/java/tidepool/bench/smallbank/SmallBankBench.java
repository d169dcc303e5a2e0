package tidepool.bench.smallbank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tidepool.bench.TemporaryPool;

/**
 * {@code bench smallbank}: our protocols and other stores on the same SmallBank, each in a JVM of its own. They work in
 * turns, a round each, so that a disturbance of the machine meets all of them; the figures to look at are ratios within a
 * round. The order of turns moves on with every round.
 */
public final class SmallBankBench {
    private final RaceOptions options;
    private final Consumer<String> out;
    private final Consumer<String> progress;
    private final List<Standing> standings = new ArrayList<>();

    /**
     * @param out takes the lines of the report
     * @param progress takes what goes on at the moment, and an empty line at the end
     */
    public SmallBankBench(RaceOptions options, Consumer<String> out, Consumer<String> progress) {
        this.options = options;
        this.out = out;
        this.progress = progress;
    }

    /** Runs the race and prints the report. */
    public void run() {
        List<Contender> contenders = new ArrayList<>();
        for (String protocol : options.protocols()) contenders.add(Contender.ofProtocol(protocol));
        for (String peer : options.peers()) contenders.add(Contender.ofPeer(peer));
        long needed = 0;
        for (Contender contender : contenders) needed += contender.neededBytes(options.customers());

        List<ContenderProcess> processes = new ArrayList<>();
        try (TemporaryPool place = TemporaryPool.create(needed)) {
            try {
                for (Contender contender : contenders) {
                    progress.accept("loading " + contender.label());
                    Path folder = Files.createDirectory(place.folder().resolve(contender.name()));
                    processes.add(ContenderProcess.start(contender, folder, options));
                }
                race(processes);
            } catch (IOException e) {
                throw new UncheckedIOException("no folder for a contender: " + e.getMessage(), e);
            } finally {
                for (ContenderProcess process : processes) process.close();
            }
        }
        progress.accept("");
        new SmallBankReport(options, standings).print(out);
    }

    private void race(List<ContenderProcess> processes) {
        for (ContenderProcess process : processes)
            standings.add(new Standing(process.contender(), process.settings(), options.customers()));
        for (int i = 0; i < processes.size(); i++) {
            progress.accept("warming up " + processes.get(i).contender().label());
            standings.get(i).warmedUp(processes.get(i).round(0, options.warmUpMillis()));
        }
        for (int round = 1; round <= options.rounds(); round++) {
            for (int turn = 0; turn < processes.size(); turn++) {
                int i = (turn + round) % processes.size();
                progress.accept("round " + round + " of " + options.rounds() + ": "
                        + processes.get(i).contender().label());
                standings.get(i).add(processes.get(i).round(round, options.roundMillis()));
            }
        }
        for (int i = 0; i < processes.size(); i++) {
            progress.accept("adding up " + processes.get(i).contender().label());
            standings.get(i).audited(processes.get(i).totals());
        }
    }

    /** Whether the money of every contender adds up. */
    public boolean addsUp() {
        return standings.stream().allMatch(Standing::addsUp);
    }

    public void writeJson(Path file) {
        new SmallBankReport(options, standings).writeJson(file);
    }
}
