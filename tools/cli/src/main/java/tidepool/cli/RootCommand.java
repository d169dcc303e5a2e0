package tidepool.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root of the command line: the options of every command, and the list of commands. */
@Command(
        name = "tidepool",
        description = "Serializable transactions on a pool of memory nodes.",
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
            TableCommand.class,
            FuzzCommand.class,
            MutantsCommand.class,
            InspectCommand.class,
            TestCommand.class,
            FormatCommand.class,
            DistCommand.class,
            InstallCommand.class,
            CompletionCommand.class,
        })
final class RootCommand implements Runnable {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    boolean help;

    @Option(names = "--version", versionHelp = true, description = "Show the version and exit.")
    boolean version;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Print the stack trace of a failure.")
    boolean debug;

    @Spec
    CommandSpec spec;

    /** Called without a command. Prints the list of commands. */
    @Override
    public void run() {
        CommandLine commandLine = spec.commandLine();
        commandLine.usage(commandLine.getOut());
    }
}
