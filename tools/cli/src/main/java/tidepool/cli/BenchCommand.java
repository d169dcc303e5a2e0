package tidepool.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.bench.race.EarlierReport;
import tidepool.bench.race.Race;
import tidepool.bench.race.RaceOptions;
import tidepool.bench.race.RaceResult;

/**
 * {@code tidepool bench WORKLOAD}: runs a workload on Tidepool's protocols and fabrics and on foreign stores, in turns.
 */
@Command(
        name = "bench",
        description = {
            "Measure workloads on Tidepool and on other stores.",
            "Each contender has a JVM of its own. Contenders work in turns; compare ratios within a round."
                    + " See docs/benchmarks/method.md.",
            "Each store is checked at the end; exit code 1 if one does not hold what was committed.",
            "The commands below measure costs of parts."
        },
        synopsisSubcommandLabel = "| COMMAND",
        subcommands = {
            BenchCostCommand.class,
            BenchLoadCommand.class,
            BenchGrowthCommand.class,
            BenchIndexCommand.class,
            BenchFabricCommand.class,
            BenchNetCommand.class,
            BenchValuesCommand.class,
            BenchAppendCommand.class,
            BenchRowsCommand.class,
            BenchInterleaveCommand.class
        })
final class BenchCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..1",
            paramLabel = "WORKLOAD",
            description = {
                "Workload: ${COMPLETION-CANDIDATES}; with its options after a question mark, as in"
                        + " 'kvs?objects=4&zipf=0.9'."
            },
            completionCandidates = WorkloadNames.class)
    String workload;

    @Mixin
    RaceFlags flags;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        if (workload == null)
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "Say what to measure: " + String.join(", ", WorkloadNames.all()) + "; or "
                            + String.join(", ", spec.subcommands().keySet()));
        RaceOptions options;
        EarlierReport earlier;
        try {
            options = flags.options(workload, List.copyOf(spec.subcommands().keySet()));
            earlier = flags.compare == null ? null : EarlierReport.read(flags.compare);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        for (String sentence : flags.skipped) out.println(sentence);
        RaceResult result = new Race(options, new LiveLine(out)).run(partial -> tell(partial, earlier, out));
        tell(result, earlier, out);
        return result.isRight() ? 0 : 1;
    }

    private void tell(RaceResult result, EarlierReport earlier, PrintWriter out) {
        result.print(out::println);
        if (result.hasFigures()) {
            if (flags.byRound) result.printRounds(out::println);
            if (earlier != null) result.printComparison(earlier, out::println);
            if (flags.json != null) result.writeJson(flags.json);
            if (flags.report != null) result.writeHtml(flags.report, Version.text());
        }
        out.flush();
    }
}
