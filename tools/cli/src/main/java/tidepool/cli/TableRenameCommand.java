package tidepool.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidepool table rename}: gives a table another name. */
@Command(name = "rename", description = "Give a table another name; programs that use the old name are refused.")
final class TableRenameCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "URL", description = "URL of the pool, as a program opens it.")
    String url;

    @Parameters(index = "1", paramLabel = "TABLE", description = "Name of the table.")
    String table;

    @Parameters(index = "2", paramLabel = "NAME", description = "The new name.")
    String name;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        TablePlace.in(url, pool -> {
            pool.rename(table, name);
            return null;
        });
        spec.commandLine().getOut().println("table " + table + " is now " + name);
        return 0;
    }
}
