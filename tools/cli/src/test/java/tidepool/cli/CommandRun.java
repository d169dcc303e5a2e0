package tidepool.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The exit code and output of one run of the command. */
record CommandRun(int exitCode, String out, String err) {

    static CommandRun of(String... arguments) {
        return of(Main.commandLine(), arguments);
    }

    static CommandRun of(CommandLine commandLine, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Main.run(commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)), arguments);
        return new CommandRun(exitCode, out.toString(), err.toString());
    }
}
