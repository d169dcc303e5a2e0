package tidepool.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.TableSize;

/** {@code tidepool table count}: prints how many rows a table has. */
@Command(name = "count", description = "Count the rows of a table, next to transactions that change it.")
final class TableCountCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "URL", description = "URL of the pool, as a program opens it.")
    String url;

    @Parameters(index = "1", paramLabel = "TABLE", description = "Name of the table.")
    String table;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        TableSize size = TablePlace.in(url, pool -> pool.size(table));
        spec.commandLine().getOut().println(size.rows());
        return 0;
    }
}
