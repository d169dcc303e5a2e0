package tidepool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.lab.FigureResult;
import tidepool.lab.Figures;
import tidepool.lab.Lab;
import tidepool.lab.LabProfile;
import tidepool.lab.LabReport;
import tidepool.lab.ProfileFile;

/** {@code tidepool lab}: figures of the FORD and Motor papers and of the HDTX slides, in the simulator. */
@Command(
        name = "lab",
        description = {
            "Reproduce figures of FORD, Motor and HDTX in the simulator.",
            "Costs are those of the paper's testbed, or your own.",
            "Prints the ratios of the paper next to ours; writes plots (SVG), all points (CSV) and all ratios (JSON).",
            "Virtual time: the same bytes on every machine. See docs/benchmarks/lab."
        })
final class LabCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..*",
            paramLabel = "FIGURE",
            description = {
                "Of FORD: 14, 16, 17, 18, 19, 20, 22, 23; of Motor: motor-8, motor-9, motor-10, motor-11,",
                "motor-12, motor-17, motor-18, motor-19, motor-anchors; hdtx; or ford, motor, all."
            })
    List<String> figures = List.of();

    @Option(names = "--quick", description = "Fewer points and shorter windows: a look in under a minute.")
    boolean quick;

    @Option(
            names = "--profile",
            paramLabel = "FILE",
            description = "Costs of your own: lines of 'name = number', see docs/benchmarks/lab/profiles.md.")
    Path profile;

    @Option(names = "--out", paramLabel = "DIR", description = "Where files go: ${DEFAULT-VALUE}; made if need be.")
    Path out = Path.of("lab-out");

    @Option(names = "--seed", paramLabel = "N", description = "Of everything that is drawn: ${DEFAULT-VALUE}.")
    long seed = 1;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Simulations side by side: all processors if not given.")
    int threads = Runtime.getRuntime().availableProcessors();

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        if (figures.isEmpty())
            throw wrong("say which figures: " + String.join(", ", Figures.numbers()) + ", ford, motor or all", null);
        if (threads < 1) throw wrong("--threads takes at least 1, not " + threads, null);
        LabProfile costs = costs();
        makeFolder();
        PrintWriter terminal = spec.commandLine().getErr();
        PrintWriter table = spec.commandLine().getOut();
        table.println("profile " + costs.name() + ", seed " + seed + (quick ? ", quick: short windows" : ""));
        try {
            Figures.make(
                    figures,
                    new Lab(costs, quick, seed),
                    threads,
                    text -> {
                        terminal.println(text);
                        terminal.flush();
                    },
                    this::print);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage(), e);
        }
        return 0;
    }

    private LabProfile costs() {
        try {
            return profile == null ? ProfileFile.ford() : ProfileFile.read(profile);
        } catch (IllegalArgumentException e) {
            throw new UserError(e.getMessage());
        }
    }

    private void makeFolder() {
        try {
            Files.createDirectories(out);
            if (Files.isWritable(out)) return;
        } catch (IOException e) {
            // the exception below explains it
        }
        throw new UserError("nothing can be written to the folder " + out);
    }

    /** Prints a finished figure and writes its files. A user who interrupts the remaining figures keeps this one. */
    private void print(FigureResult result) {
        PrintWriter table = spec.commandLine().getOut();
        table.println();
        table.print(LabReport.table(result));
        try {
            table.println("  " + LabReport.write(result, out).size() + " files in " + out);
        } catch (IOException e) {
            throw new UserError("the files cannot be written: " + e.getMessage());
        }
        table.flush();
    }

    private CommandLine.ParameterException wrong(String message, Throwable cause) {
        return new CommandLine.ParameterException(spec.commandLine(), message, cause);
    }
}
