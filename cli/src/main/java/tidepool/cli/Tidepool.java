package tidepool.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line as a whole: the options that every command knows, and the list of commands. */
@Command(
        name = "tidepool",
        description = "Transactions over one-sided memory verbs.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Version.class,
        subcommands = {
            DemoCommand.class, //
            ShellCommand.class,
            BenchCommand.class,
            LabCommand.class,
            RttCommand.class,
            SimulateCommand.class,
            CheckCommand.class,
            CrashtestCommand.class,
            NodeCommand.class,
            StatusCommand.class,
            ZooKeeperCommand.class,
            PoolCommand.class,
            FuzzCommand.class,
            MutantsCommand.class,
            InspectCommand.class,
            TestCommand.class,
            FormatCommand.class,
            CompletionCommand.class,
        })
final class Tidepool implements Runnable {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    boolean help;

    @Option(names = "--version", versionHelp = true, description = "Show the version and exit.")
    boolean version;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "When something fails, show where in the code.")
    boolean debug;

    @Spec
    CommandSpec spec;

    /** Without a command there is nothing to do but to say which ones there are. */
    @Override
    public void run() {
        CommandLine commandLine = spec.commandLine();
        commandLine.usage(commandLine.getOut());
    }
}
