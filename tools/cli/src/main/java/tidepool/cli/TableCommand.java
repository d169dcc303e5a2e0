package tidepool.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tidepool table}: the commands on one table of a pool. */
@Command(
        name = "table",
        description = {
            "List, count, rename, alter, empty, drop, export and import tables.",
            "A change interrupts all sessions of the pool for a moment: transactions that are running are tried again."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            TableListCommand.class, //
            TableDescribeCommand.class,
            TableCountCommand.class,
            TableRenameCommand.class,
            TableAlterCommand.class,
            TableTruncateCommand.class,
            TableDropCommand.class,
            TableExportCommand.class,
            TableImportCommand.class,
        },
        footer = {"", "  ./tidepool table list shm:/dev/shm/bank", "  ./tidepool table drop shm:/dev/shm/bank old --yes"
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
