package tidepool.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tidepool bench …}: one subcommand for each thing that can be measured. */
@Command(
        name = "bench",
        description = "Measure, with the machine's limits beside it.",
        synopsisSubcommandLabel = "WHAT",
        subcommands = {
            BenchFabricCommand.class,
            BenchAppendCommand.class,
            BenchRowsCommand.class,
            BenchInterleaveCommand.class,
            BenchSmallBankCommand.class
        })
final class BenchCommand implements Runnable {
    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "Say what to measure: " + String.join(", ", spec.subcommands().keySet()));
    }
}
