package tidepool.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidepool table truncate}: deletes all rows of a table. */
@Command(name = "truncate", description = "Delete all rows of a table at once.")
final class TableTruncateCommand implements Callable<Integer> {
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
        TablePlace.requireYes(yes, "truncate deletes all rows of table " + table);
        TablePlace.in(url, pool -> {
            pool.truncate(table);
            return null;
        });
        spec.commandLine().getOut().println("table " + table + " is empty");
        return 0;
    }
}
