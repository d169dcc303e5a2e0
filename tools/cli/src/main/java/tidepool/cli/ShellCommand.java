package tidepool.cli;

import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.cli.shell.Shells;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.store.StoreException;

/** {@code tidepool shell}: gets, puts and deletes records of a pool, singly or in transactions. */
@Command(
        name = "shell",
        description = {
            "Look up, put and delete records of a pool by hand, or from a pipe.",
            "Statements are typed into a line editor with history and completion, or piped in; help lists them."
                    + " A pool that does not exist is made. From a pipe the exit code is 1 if a statement failed."
        },
        footer = {
            "",
            "  ./tidepool shell shm:/dev/shm/bank",
            "  echo 'get account 17' | ./tidepool shell shm:/dev/shm/bank"
        })
final class ShellCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "URL",
            description = "URL of the pool: mem:, shm:PATH, or any other that a program" + " can open.")
    String url;

    @Option(
            names = "--idle",
            paramLabel = "TIME",
            description = "Roll a transaction back after this time without input: ${DEFAULT-VALUE}.")
    String idle = "60s";

    @Option(names = "--no-history", description = "Do not keep what is typed in ~/.tidepool_history.")
    boolean noHistory;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        Duration longest = parsed(() -> FabricUrl.parseDuration("--idle", idle));
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            boolean good = isTerminal()
                    ? Shells.typed(url, longest, !noHistory)
                    : Shells.piped(url, longest, new InputStreamReader(System.in, StandardCharsets.UTF_8), out, err);
            return good ? 0 : 1;
        } catch (FabricException | StoreException e) {
            throw new UserError("the pool cannot be opened: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw notUnderstood(e.getMessage());
        }
    }

    /** Since JDK 25, {@code System.console()} is again null if input or output is not a terminal. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        return System.console() != null && System.console().isTerminal();
    }

    private <R> R parsed(Supplier<R> parsing) {
        try {
            return parsing.get();
        } catch (IllegalArgumentException e) {
            throw notUnderstood(e.getMessage());
        }
    }

    private CommandLine.ParameterException notUnderstood(String sentence) {
        return new CommandLine.ParameterException(spec.commandLine(), sentence);
    }
}
