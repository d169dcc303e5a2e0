package tidepool.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidepool table drop}: ends a table. */
@Command(name = "drop", description = "End a table; its memory is used again.")
final class TableDropCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "URL", description = "URL of the pool, as a program opens it.")
    String url;

    @Parameters(index = "1", paramLabel = "TABLE", description = "Name of the table.")
    String table;

    @Option(names = "--yes", description = "Confirm that the rows are to go.")
    boolean yes;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        TablePlace.requireYes(yes, "drop ends table " + table + " with all its rows");
        TablePlace.in(url, pool -> {
            pool.drop(table);
            return null;
        });
        spec.commandLine().getOut().println("table " + table + " is gone");
        return 0;
    }
}
