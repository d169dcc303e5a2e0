package tidepool.cli;

import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import tidepool.Tidepool;
import tidepool.base.Clock;
import tidepool.base.NameSuggestion;
import tidepool.cli.transfer.TransferFormat;
import tidepool.txn.TableHandle;

/** Code shared by the commands that move rows between a table and a file. */
final class TableFile {
    /** The name that stands for standard input or output. */
    static final String STANDARD = "-";

    private static final long EVERY_NANOS = 200_000_000L;

    private final LiveLine line;
    private final long begun = Clock.system().nowNanos();
    private long next = begun + EVERY_NANOS;

    TableFile(LiveLine line) {
        this.line = line;
    }

    static TransferFormat format(CommandSpec spec, String given, String file) {
        TransferFormat format = given == null ? TransferFormat.ofFile(file) : TransferFormat.named(given);
        if (format != null) return format;
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                given == null
                        ? "the format of '" + file + "' is not known by its name: give --format "
                                + TransferFormat.names()
                        : "--format takes " + TransferFormat.names() + ", not '" + given + "'");
    }

    /** Returns the table of a name. Refuses an unknown name, with those that there are. */
    static TableHandle find(Tidepool pool, String name) {
        var tables = pool.tables();
        for (TableHandle each : tables) if (each.name().equals(name)) return each;
        var names = tables.stream()
                .map(TableHandle::name)
                .filter(each -> !each.startsWith("_"))
                .sorted()
                .toList();
        String likely = NameSuggestion.to(name, names);
        throw new UserError("no such table: '" + name + "'; "
                + (likely != null
                        ? "did you mean '" + likely + "'?"
                        : names.isEmpty() ? "the pool has no tables" : "the pool has " + String.join(", ", names)));
    }

    /** Shows how far the work is, now and then. The part is 0 to 1, or negative if it is not known. */
    void progress(String what, long rows, double part) {
        long now = Clock.system().nowNanos();
        if (now < next) return;
        next = now + EVERY_NANOS;
        double seconds = (now - begun) / 1e9;
        String rest = part <= 0 || part > 1
                ? ""
                : String.format(Locale.ROOT, ", %.0f %%, %s left", 100 * part, Quantities.time(Duration.ofMillis((long)
                        (1000 * seconds * (1 - part) / part))));
        line.accept(
                String.format(Locale.ROOT, "%s %,d rows, %s/s%s", what, rows, Quantities.rate(rows / seconds), rest));
    }

    void clear() {
        line.accept("");
    }

    /** Returns time and rate for the last line. */
    String rate(long rows) {
        long nanos = Math.max(1, Clock.system().nowNanos() - begun);
        return "in " + Quantities.time(Duration.ofNanos(nanos)) + ", " + Quantities.rate(rows * 1e9 / nanos)
                + " rows/s";
    }
}
