package tidepool.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tidepool completion}: prints the script by which a shell completes commands and options. */
@Command(
        name = "completion",
        description = "Print a completion script for bash and zsh.",
        footer = {"", "Use it in this shell:  source <(./tidepool completion)"})
final class CompletionCommand implements Runnable {
    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        CommandLine root = spec.root().commandLine();
        root.getOut().print(AutoComplete.bash(root.getCommandName(), root));
        root.getOut().flush();
    }
}
