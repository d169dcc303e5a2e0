package tidepool.bench.race;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** The figures of a race. The others are compared with the first contender. */
public final class RaceResult {
    private final RaceOptions options;
    private final List<Standing> standings;
    private final boolean interrupted;

    RaceResult(RaceOptions options, List<Standing> standings, boolean interrupted) {
        this.options = options;
        this.standings = standings;
        this.interrupted = interrupted;
    }

    /** Returns whether all contenders have had at least one round. */
    public boolean hasFigures() {
        return standings.size() == options.entries().size()
                && !standings.getFirst().rounds().isEmpty();
    }

    /** Returns whether every store was checked and holds what it should. */
    public boolean isRight() {
        return standings.stream()
                .allMatch(standing -> standing.wasChecked() && standing.wrong().isEmpty());
    }

    boolean wasInterrupted() {
        return interrupted;
    }

    RaceOptions options() {
        return options;
    }

    List<Standing> standings() {
        return standings;
    }

    Standing first() {
        return standings.getFirst();
    }

    /** Prints the tables. */
    public void print(Consumer<String> out) {
        new RaceTable(this).print(out);
    }

    /** Prints a line for each round of each contender. */
    public void printRounds(Consumer<String> out) {
        for (Standing standing : standings) new RoundTable(standing).print(out);
    }

    /** Prints the changes since an earlier report. */
    public void printComparison(EarlierReport earlier, Consumer<String> out) {
        new RunComparison(earlier, this).print(out);
    }

    public void writeJson(Path file) {
        new RaceJson(this).write(file);
    }

    /** Writes one self-contained page with pictures. */
    public void writeHtml(Path file, String version) {
        new RaceHtml(this, version).write(file);
    }
}
