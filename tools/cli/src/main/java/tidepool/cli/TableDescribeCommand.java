package tidepool.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.TableSize;
import tidepool.schema.Schema;

/** {@code tidepool table describe}: prints the schema and the size of a table. */
@Command(name = "describe", description = "Show the schema of a table, the bytes of its values, and its size.")
final class TableDescribeCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "URL", description = "URL of the pool, as a program opens it.")
    String url;

    @Parameters(index = "1", paramLabel = "TABLE", description = "Name of the table.")
    String table;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        String text = TablePlace.in(url, pool -> {
            Schema schema = pool.table(table).schema();
            TableSize size = pool.size(table);
            return schema + System.lineSeparator() + schema.table() + size.rows() + " rows, room for " + size.room()
                    + ", " + size.bytes() + " bytes of each copy";
        });
        spec.commandLine().getOut().println(text);
        return 0;
    }
}
