package tidepool.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.ConflictException;
import tidepool.SnapshotLostException;
import tidepool.Tidepool;
import tidepool.cli.transfer.RowExport;
import tidepool.cli.transfer.TransferFormat;
import tidepool.fabric.FabricException;
import tidepool.store.StoreException;

/** {@code tidepool table export}: writes all rows of a table into a file. */
@Command(
        name = "export",
        description = {
            "Write all rows of a table into a file, as CSV or JSON lines.",
            "Transactions go on meanwhile. The last line says whether all rows are of one snapshot.",
            "The file has its name only when it is whole; until then its name ends with .part."
        },
        footer = {
            "",
            "  ./tidepool table export shm:/dev/shm/bank account account.csv",
            "  ./tidepool table export shm:/dev/shm/bank account - --format jsonl | gzip > account.jsonl.gz"
        })
final class TableExportCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "URL", description = "The pool.")
    String url;

    @Parameters(index = "1", paramLabel = "TABLE", description = "The table.")
    String table;

    @Parameters(index = "2", paramLabel = "FILE", description = "Where the rows go; must not exist. - is the output.")
    String file;

    @Option(names = "--format", paramLabel = "NAME", description = "csv or jsonl; default is how FILE ends.")
    String format;

    @Option(names = "--no-types", description = "Name the columns without their types, as other programs expect it.")
    boolean noTypes;

    @Option(names = "--per-page", description = "Read each page at a moment of its own, even if there are snapshots.")
    boolean perPage;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        TransferFormat as = TableFile.format(spec, format, file);
        Path whole = file.equals(TableFile.STANDARD) ? null : Path.of(file);
        OutputFiles.require(whole, "export");
        if (whole != null && Files.exists(whole)) throw new UserError(whole + " exists, and nothing is overwritten");
        try (Tidepool pool = Tidepool.open(url)) {
            RowExport export = new RowExport(pool, TableFile.find(pool, table), as, perPage);
            if (whole == null) write(export, writer());
            else write(export, whole);
            return 0;
        } catch (SnapshotLostException e) {
            throw new UserError("other transactions have changed too much of table " + table
                    + " since the snapshot of the export: --per-page reads each page at a moment of its own");
        } catch (ConflictException | FabricException | StoreException | IllegalArgumentException e) {
            throw new UserError(e.getMessage());
        }
    }

    /** Standard output in UTF-8, whatever the terminal takes. */
    private static Writer writer() {
        return new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
    }

    private void write(RowExport export, Path whole) throws IOException {
        Path part = whole.resolveSibling(whole.getFileName() + ".part");
        try (Writer out =
                Files.newBufferedWriter(part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)) {
            write(export, out);
        } catch (Throwable e) {
            Files.deleteIfExists(part);
            throw e;
        }
        try {
            Files.move(part, whole);
        } catch (FileAlreadyExistsException e) {
            throw new UserError(whole + " was made meanwhile; the export is " + part);
        }
    }

    private void write(RowExport export, Writer out) throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        TableFile shown = new TableFile(new LiveLine(err));
        export.run(out, !noTypes, (rows, part) -> shown.progress("exported", rows, part));
        shown.clear();
        err.println(String.format(
                Locale.ROOT,
                "exported %,d rows of table %s %s: %s",
                export.rows(),
                table,
                shown.rate(export.rows()),
                export.isSnapshot() ? "one snapshot" : "no snapshot, each page of rows is of a moment of its own"));
    }
}
