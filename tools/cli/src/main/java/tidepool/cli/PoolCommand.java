package tidepool.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tidepool pool}: the commands on a whole pool. */
@Command(
        name = "pool",
        description = "Create, grow, back up, check and repair pools.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            PoolCreateCommand.class, //
            PoolStatusCommand.class,
            PoolAddCommand.class,
            PoolRemoveCommand.class,
            PoolRebalanceCommand.class,
            PoolGrowCommand.class,
            PoolBackupCommand.class,
            PoolRestoreCommand.class,
            PoolVerifyCommand.class,
            PoolRepairCommand.class,
        })
final class PoolCommand implements Runnable {
    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "Say what to do: " + String.join(", ", spec.subcommands().keySet()));
    }
}
