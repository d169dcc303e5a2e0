package tidepool.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import picocli.CommandLine;

/** Entry point of the command line. Maps the outcome to an exit code: 0 done, 1 failed, 2 not understood. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        for (String argument : arguments) if (argument.contains("zk://")) LibraryLogs.quiet();
        CommandLine commandLine = commandLine().setOut(writer(System.out)).setErr(writer(System.err));
        System.exit(run(commandLine, arguments));
    }

    static CommandLine commandLine() {
        ErrorText errorText = new ErrorText();
        CommandLine commandLine = new CommandLine(new RootCommand())
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(errorText)
                .setExecutionExceptionHandler(errorText);
        return Distribution.isHere() ? Distribution.restrict(commandLine) : commandLine;
    }

    /** Runs one command and returns its exit code; never throws. */
    static int run(CommandLine commandLine, String... arguments) {
        try {
            return commandLine.execute(arguments);
        } catch (Error wrong) {
            // picocli passes on exceptions only. Errors such as a failed assertion are explained here.
            return new ErrorText().explain(commandLine, wrong);
        }
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, stream.charset());
    }
}
