package tidepool.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code tidepool bench rows}: inserts and deletes rows, records every version that is read, and checks the history.
 */
@Command(
        name = "rows",
        description = {
            "Insert, update and delete rows, record the history, check it.",
            "Transactions read, update, insert, put and delete a few contended rows, and look for rows that"
                    + " are not there. Each says which versions it saw and replaced, so the check is exact. See"
                    + " docs/evidence/histories.md.",
            "Exit code 1 if the history is not what the protocol promises."
        })
final class BenchRowsCommand implements Callable<Integer> {
    private static final int LISTS_ARE_NOT_USED = 1;

    @Mixin
    RecordedFlags flags;

    @Option(names = "--keys", paramLabel = "N", description = "Rows that there can be, default ${DEFAULT-VALUE}.")
    int keys = 64;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        return flags.run("rows", keys, LISTS_ARE_NOT_USED, spec.commandLine());
    }
}
