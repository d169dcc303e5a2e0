package tidepool.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import picocli.CommandLine;

/** Starts the command and turns its outcome into an exit code: 0 done, 1 failed, 2 not understood. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        for (String argument : arguments) if (argument.contains("zk://")) LibraryLogs.quiet();
        CommandLine commandLine = commandLine().setOut(writer(System.out)).setErr(writer(System.err));
        System.exit(run(commandLine, arguments));
    }

    static CommandLine commandLine() {
        Complaints complaints = new Complaints();
        return new CommandLine(new Tidepool())
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(complaints)
                .setExecutionExceptionHandler(complaints);
    }

    /** Runs one command and returns its exit code; never throws. */
    static int run(CommandLine commandLine, String... arguments) {
        try {
            return commandLine.execute(arguments);
        } catch (Error wrong) {
            // picocli hands over exceptions only; a failed assertion deserves a sentence as well.
            return new Complaints().explain(commandLine, wrong);
        }
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, stream.charset());
    }
}
