package tidepool.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidepool bench append}: Elle's list-append, recorded and checked. */
@Command(
        name = "append",
        description = {
            "Append to lists, record the history, check it.",
            "Transactions read lists and append to them; a new key replaces a list that is full."
                    + " In the end every list is read. See docs/evidence/histories.md.",
            "Exit code 1 if the history is not what the protocol promises."
        })
final class BenchAppendCommand implements Callable<Integer> {
    @Mixin
    RecordedFlags flags;

    @Option(names = "--keys", paramLabel = "N", description = "Lists in use at a time, default ${DEFAULT-VALUE}.")
    int keys = 8;

    @Option(names = "--longest", paramLabel = "N", description = "Elements of a full list, default ${DEFAULT-VALUE}.")
    int longest = 100;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        return flags.run("append", keys, longest, spec.commandLine());
    }
}
