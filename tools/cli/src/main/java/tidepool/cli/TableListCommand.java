package tidepool.cli;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.spi.PoolAccess;
import tidepool.store.TableLayout;
import tidepool.txn.TableHandle;

/** {@code tidepool table list}: prints the tables of a pool. */
@Command(
        name = "list",
        description = {
            "List the tables of a pool with their rows, their room and their memory.",
            "The rows are counted, which reads all tables; --no-rows leaves them out. The memory is that of one copy."
        })
final class TableListCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "URL", description = "URL of the pool, as a program opens it.")
    String url;

    @Option(names = "--no-rows", description = "Do not count rows.")
    boolean noRows;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        TextTable text = new TextTable("table", "rows", "room", "bytes");
        TablePlace.in(url, pool -> {
            List<TableHandle> tables = pool.tables().stream()
                    .sorted(Comparator.comparing(TableHandle::name))
                    .toList();
            for (TableHandle table : tables) {
                TableLayout layout = PoolAccess.layout(table);
                String rows = noRows ? "-" : "" + pool.size(table.name()).rows();
                text.row(table.name(), rows, layout.rows(), layout.bytes() * layout.partitions());
            }
            return null;
        });
        PrintWriter out = spec.commandLine().getOut();
        if (text.isEmpty()) out.println("no tables yet");
        else text.print(out::println);
        out.flush();
        return 0;
    }
}
