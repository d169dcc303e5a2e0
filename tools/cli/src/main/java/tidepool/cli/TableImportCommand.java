package tidepool.cli;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.DuplicateKeyException;
import tidepool.Duplicates;
import tidepool.TableLoader;
import tidepool.Tidepool;
import tidepool.TidepoolException;
import tidepool.UnknownOutcomeException;
import tidepool.cli.transfer.BadInputException;
import tidepool.cli.transfer.RowImport;
import tidepool.cli.transfer.TransferFormat;
import tidepool.fabric.FabricException;
import tidepool.schema.Schema;
import tidepool.store.StoreException;
import tidepool.txn.TableHandle;

/** {@code tidepool table import}: writes all rows of a file into a table. */
@Command(
        name = "import",
        description = {
            "Write all rows of a file into a table, in batches, from CSV or JSON lines.",
            "Transactions go on meanwhile. If the import ends early, by an error or kill -9, the rows of whole batches"
                    + " are in the table, from the first row on. With --resume and the same file it goes on after"
                    + " them."
        },
        footer = {
            "",
            "  ./tidepool table import shm:/dev/shm/bank account account.csv",
            "  ./tidepool table import shm:/dev/shm/bank account account.csv --resume"
        })
final class TableImportCommand implements Callable<Integer> {
    private static final int MAX_NAME = 64;

    @Parameters(index = "0", paramLabel = "URL", description = "The pool.")
    String url;

    @Parameters(index = "1", paramLabel = "TABLE", description = "The table.")
    String table;

    @Parameters(index = "2", paramLabel = "FILE", description = "Where the rows are; - is the input.")
    String file;

    @Option(names = "--format", paramLabel = "NAME", description = "csv or jsonl; default is how FILE ends.")
    String format;

    @Option(
            names = "--duplicates",
            paramLabel = "WHAT",
            description = "What happens with a key that exists: refuse, skip or replace, default ${DEFAULT-VALUE}.")
    String duplicates = "refuse";

    @Option(names = "--resume", description = "Go on after the rows that the last import of the table has committed.")
    boolean resume;

    @Option(
            names = "--load",
            paramLabel = "NAME",
            description = "Under which the pool keeps how far the import is; default is one for each table.")
    String load;

    @Option(
            names = "--create",
            paramLabel = "ROWS",
            description = "If there is no such table, make it by the first line of the file, with room for ROWS rows.")
    Long create;

    @Option(names = "--batch", paramLabel = "ROWS", description = "The most rows of one transaction, 1 to 256.")
    Integer batch;

    @Option(names = "--check", description = "Read the file against the table, and write nothing.")
    boolean check;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        TransferFormat as = TableFile.format(spec, format, file);
        Duplicates what = duplicates();
        if (create != null && create < 1)
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--create takes a number of rows, at least 1, not " + create);
        try (InputStream in = input();
                Tidepool pool = Tidepool.open(url)) {
            RowImport rows = new RowImport(in, as);
            if (check) check(pool, rows);
            else load(pool, rows, what);
            return 0;
        } catch (FileNotFoundException e) {
            throw new UserError("the file cannot be read: " + file);
        } catch (BadInputException e) {
            throw new UserError(file + ", " + e.getMessage());
        } catch (TidepoolException | FabricException | StoreException | IllegalArgumentException e) {
            throw new UserError(e.getMessage());
        }
    }

    private Duplicates duplicates() {
        for (Duplicates each : Duplicates.values()) if (text(each).equals(duplicates)) return each;
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "--duplicates takes "
                        + Arrays.stream(Duplicates.values())
                                .map(TableImportCommand::text)
                                .collect(Collectors.joining(", "))
                        + ", not '" + duplicates + "'");
    }

    private static String text(Duplicates what) {
        return what.name().toLowerCase(Locale.ROOT);
    }

    private InputStream input() throws IOException {
        return file.equals(TableFile.STANDARD) ? System.in : new FileInputStream(file);
    }

    private void check(Tidepool pool, RowImport rows) throws IOException {
        TableFile shown = shown();
        long size = size();
        Schema schema = isThere(pool) ? TableFile.find(pool, table).schema() : rows.schema(table);
        long[] count = new long[1];
        long all = rows.check(schema, bytes -> shown.progress("checked", ++count[0], part(bytes, size)));
        shown.clear();
        say(String.format(Locale.ROOT, "%s: all %,d rows fit table %s; nothing was written", file, all, table));
    }

    private boolean isThere(Tidepool pool) {
        return create == null
                || pool.tables().stream().anyMatch(each -> each.name().equals(table));
    }

    private void load(Tidepool pool, RowImport rows, Duplicates what) throws IOException {
        TableHandle target = isThere(pool) ? TableFile.find(pool, table) : pool.table(rows.schema(table), create);
        TableFile shown = shown();
        long size = size();
        try (TableLoader<RowImport> loader = rows.loader(pool, target).onDuplicate(what)) {
            if (batch != null) loader.batch(batch);
            if (resume) loader.resume(loadName());
            else loader.named(loadName());
            try {
                rows.run(loader, bytes -> shown.progress("imported", loader.rowsLoaded(), part(bytes, size)));
            } catch (DuplicateKeyException e) {
                if (loader.rowRefused() == 0) // the values of an index, and not a key
                throw new UserError(file + ", a row from line " + rows.lineOf(loader.rowsLoaded() + 1) + " on: "
                        + e.getMessage() + "; " + inTable(loader) + "; correct the file and add --resume");
                throw new UserError(file + ", line " + rows.lineOf(loader.rowRefused()) + ": " + e.getMessage() + "; "
                        + inTable(loader) + "; --duplicates skip keeps what the table has, and replace replaces it");
            } catch (BadInputException e) {
                throw new UserError(
                        file + ", " + e.getMessage() + "; " + inTable(loader) + "; correct the file and add --resume");
            } catch (UnknownOutcomeException e) {
                throw new UserError(e.getMessage() + "; " + inTable(loader)
                        + ", or those of one batch more; --resume finds out, and goes on after them");
            } catch (TidepoolException | FabricException | StoreException | IllegalStateException e) {
                throw new UserError(e.getMessage() + "; " + inTable(loader) + "; --resume goes on after them");
            } finally {
                shown.clear();
            }
            report(loader, shown, what);
        }
    }

    private static String inTable(TableLoader<?> loader) {
        return loader.rowsLoaded() == 0
                ? "no row of the file is in the table"
                : String.format(
                        Locale.ROOT,
                        "the first %,d rows of the file are in the table, and no later one",
                        loader.rowsLoaded());
    }

    private void report(TableLoader<?> loader, TableFile shown, Duplicates what) {
        long now = loader.rowsLoaded() - loader.rowsBefore();
        String before = loader.rowsBefore() == 0
                ? ""
                : String.format(Locale.ROOT, ", after %,d that were there", loader.rowsBefore());
        String existing = what == Duplicates.REFUSE
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", of which %,d existed and were %s",
                        loader.rowsExisting(),
                        what == Duplicates.SKIP ? "skipped" : "replaced");
        say(String.format(
                Locale.ROOT, "imported %,d rows into table %s%s%s, %s", now, table, before, existing, shown.rate(now)));
    }

    private String loadName() {
        if (load != null) return load;
        String name = "import/" + table;
        return name.substring(0, Math.min(name.length(), MAX_NAME));
    }

    private long size() throws IOException {
        return file.equals(TableFile.STANDARD) ? 0 : Files.size(Path.of(file));
    }

    private static double part(long bytes, long size) {
        return size == 0 ? -1 : (double) bytes / size;
    }

    private TableFile shown() {
        return new TableFile(new LiveLine(spec.commandLine().getErr()));
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
