package tidepool.spi;

import java.util.LinkedHashMap;
import java.util.Map;
import tidepool.backup.BackupException;
import tidepool.backup.BackupSummary;
import tidepool.store.CatalogLayout;
import tidepool.store.FlushPolicy;
import tidepool.store.PoolOptions;

/**
 * The description of the pool in a backup, as lines {@code name=value}.
 *
 * @param options the layout of the pool
 * @param flush which replicas outlasted a loss of power
 * @param tables the number of tables
 * @param usedBytes of each partition that tables take
 * @param sessions the highest number of a session that can have written something: a new pool gives higher ones
 * @param epoch of the roster, when the backup was taken
 * @param timestamp later than all timestamps in the backup: a new pool gives later ones. Otherwise its snapshots would
 *     be older than its rows
 */
record BackupManifest(
        PoolOptions options, FlushPolicy flush, int tables, long usedBytes, int sessions, long epoch, long timestamp) {
    String text() {
        return "protocol=" + options.protocol() + "\nreplicas=" + options.replicas() + "\npartitions="
                + options.partitions() + "\npartitionBytes=" + options.partitionBytes() + "\ncoordinators="
                + options.coordinators() + "\nlogSlotBytes=" + options.logSlotBytes() + "\nlogHeapBytes="
                + options.logHeapBytes() + "\nflush=" + flush.name()
                + "\ntables=" + tables + "\nusedBytes=" + usedBytes + "\nsessions=" + sessions + "\nepoch=" + epoch
                + "\ntimestamp=" + timestamp + "\n";
    }

    static BackupManifest parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        text.lines()
                .forEach(line -> values.put(
                        line.substring(0, Math.max(0, line.indexOf('='))), line.substring(line.indexOf('=') + 1)));
        try {
            PoolOptions options = new PoolOptions(
                    value(values, "protocol"),
                    (int) number(values, "replicas"),
                    (int) number(values, "partitions"),
                    number(values, "partitionBytes"),
                    (int) number(values, "coordinators"),
                    number(values, "logSlotBytes"));
            // Backups of earlier versions say nothing about a log heap; their pools get one of the default size.
            if (values.containsKey("logHeapBytes")) options = options.withLogHeap(number(values, "logHeapBytes"));
            // Nor do they say a timestamp. It was below that of the next epoch.
            long epoch = number(values, "epoch");
            boolean old = !values.containsKey("timestamp");
            return new BackupManifest(
                    options,
                    FlushPolicy.valueOf(value(values, "flush")),
                    (int) number(values, "tables"),
                    number(values, "usedBytes"),
                    (int) number(values, "sessions"),
                    epoch,
                    old ? CatalogLayout.timestampAfter(epoch, 0) : number(values, "timestamp"));
        } catch (IllegalArgumentException e) {
            throw new BackupException("what it says about its pool makes no sense: " + e.getMessage(), e);
        }
    }

    /** Returns what an application sees of a backup whose pieces have these numbers. */
    BackupSummary summary(long pieces, long bytes) {
        return new BackupSummary(
                options.protocol(),
                options.replicas(),
                options.partitions(),
                flush.isDurable(),
                tables,
                usedBytes,
                epoch,
                pieces,
                bytes);
    }

    private static long number(Map<String, String> values, String name) {
        return Long.parseLong(value(values, name));
    }

    private static String value(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value == null) throw new IllegalArgumentException(name + " is missing");
        return value;
    }
}
