package tidepool.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * The commands in an unpacked {@code tidepool-VERSION.tar.gz}, which has jars and no sources. Its launcher sets the
 * property {@code tidepool.distribution}.
 */
final class Distribution {
    private static final String PROPERTY = "tidepool.distribution";

    private Distribution() {}

    static boolean isHere() {
        return System.getProperty(PROPERTY) != null;
    }

    /** Returns the refusal of a command, or of a part of one. */
    static UserError refusal(String what) {
        return new UserError(what + " needs a checkout of Tidepool, and this is the distribution, which has no sources;"
                + " run ./tidepool of a checkout");
    }

    /** Hides the commands that need a checkout from help, names them below the list, and has them refuse to run. */
    static CommandLine restrict(CommandLine root) {
        List<String> missing = new ArrayList<>();
        root.getSubcommands().forEach((name, command) -> {
            if (!(command.getCommand() instanceof NeedsCheckout)) return;
            missing.add(name);
            command.getCommandSpec().usageMessage().hidden(true);
            // Arguments of the checkout's launcher mean nothing here: the refusal is the answer to all of them.
            command.setUnmatchedArgumentsAllowed(true);
        });
        nameShippedPages(root);
        root.getCommandSpec().usageMessage().footer("", "Only in a checkout: " + String.join(", ", missing) + ".");
        return root.setExecutionStrategy(Distribution::execute);
    }

    /** Help names pages of the documents. They lie in {@code doc/} here, and in {@code docs/} of a checkout. */
    private static void nameShippedPages(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.description(Arrays.stream(usage.description())
                .map(line -> line.replace("docs/", "doc/"))
                .toArray(String[]::new));
        command.getSubcommands().values().forEach(Distribution::nameShippedPages);
    }

    private static int execute(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) last = last.subcommand();
        CommandLine command = last.commandSpec().commandLine();
        if (command.getCommand() instanceof NeedsCheckout && !last.isUsageHelpRequested())
            throw new ExecutionException(
                    command, "no checkout", refusal("'" + last.commandSpec().name() + "'"));
        return new RunLast().execute(parsed);
    }
}
