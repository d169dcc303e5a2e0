package tidepool.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.schema.Schema;

/** {@code tidepool table alter}: gives a table another schema. */
@Command(
        name = "alter",
        description = {
            "Give attributes of a table other names, and enums more constants.",
            "The schema is the text that describe shows. Its attributes take the places of those of the table, in"
                    + " their order. Programs with a record class of before are refused when they open the table."
        })
final class TableAlterCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "URL", description = "URL of the pool, as a program opens it.")
    String url;

    @Parameters(index = "1", paramLabel = "TABLE", description = "Name of the table.")
    String table;

    @Parameters(index = "2", paramLabel = "SCHEMA", description = "The new schema, such as 'account(balance:long)'.")
    String schema;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        TablePlace.in(url, pool -> {
            pool.alter(table, Schema.parse(schema));
            return null;
        });
        spec.commandLine().getOut().println("table " + table + " is altered");
        return 0;
    }
}
