package tidepool.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tidepool table}: the commands on one table of a pool. */
@Command(
        name = "table",
        description = "Export and import tables.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            TableExportCommand.class, //
            TableImportCommand.class,
        })
final class TableCommand implements Runnable {
    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "Say what to do: " + String.join(", ", spec.subcommands().keySet()));
    }
}
