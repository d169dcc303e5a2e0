package tidepool.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.history.CheckOptions;
import tidepool.history.History;
import tidepool.history.HistoryChecker;
import tidepool.history.HistoryFormatException;
import tidepool.history.Level;
import tidepool.history.Verdict;

/** {@code tidepool check F.jsonl…}: checks whether a recorded history keeps the promised isolation. */
@Command(
        name = "check",
        description = {
            "Check recorded histories.",
            "JSON lines as docs/evidence/histories.md describes them, or as Jepsen's tools write them. Several"
                    + " files are merged by the index of their events. Exit code 1 if the level does not hold,"
                    + " 2 if a file is"
                    + " not a history."
        })
final class CheckCommand implements Callable<Integer> {
    private static final int NOT_UNDERSTOOD = 2;

    private static final Map<String, Level> LEVELS = Map.of(
            "strict-serializable", Level.STRICT_SERIALIZABILITY,
            "serializable", Level.SERIALIZABILITY,
            "snapshot", Level.SNAPSHOT_ISOLATION);

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Recorded histories.")
    List<Path> files;

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description = "strict-serializable, serializable or snapshot; default ${DEFAULT-VALUE}.")
    String level = "strict-serializable";

    @Option(
            names = "--show",
            paramLabel = "N",
            description = "How many anomalies of each kind are told in full, default ${DEFAULT-VALUE}.")
    int show = CheckOptions.DEFAULT.shownPerKind();

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        Level asked = LEVELS.get(level);
        if (asked == null)
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "Unknown level '" + level + "'; known: strict-serializable, serializable, snapshot");
        if (show < 1) throw new CommandLine.ParameterException(spec.commandLine(), "--show takes 1 or more");
        for (Path file : files)
            if (!Files.isRegularFile(file)) throw new UserError("no such file: " + file, NOT_UNDERSTOOD);
        Verdict verdict = HistoryChecker.check(read(), new CheckOptions(show, CheckOptions.DEFAULT.effort()));
        spec.commandLine().getOut().print(verdict.report());
        spec.commandLine().getOut().println(verdict.holds(asked) ? "OK: " + asked : "VIOLATED: " + asked);
        return verdict.holds(asked) ? 0 : 1;
    }

    private History read() {
        try {
            return History.read(files);
        } catch (HistoryFormatException e) {
            throw new UserError(e.getMessage(), NOT_UNDERSTOOD);
        } catch (IOException e) {
            throw new UserError("the history cannot be read: " + e.getMessage(), NOT_UNDERSTOOD);
        }
    }
}
