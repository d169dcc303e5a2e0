package tidepool.bench.race;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import tidepool.bench.ordered.OrderedContender;
import tidepool.bench.ordered.OrderedStore;
import tidepool.bench.ordered.OrderedStoreOptions;
import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankContender;
import tidepool.bench.smallbank.BankOptions;
import tidepool.bench.smallbank.Customers;
import tidepool.bench.straw.StrawContender;
import tidepool.bench.ycsb.KeyStore;
import tidepool.bench.ycsb.KeyStoreContender;
import tidepool.bench.ycsb.KeyStoreOptions;
import tidepool.bench.ycsb.RangeContender;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.TableSpec;
import tidepool.workload.measured.smallbank.SmallBank;
import tidepool.workload.measured.tpcc.Tpcc;
import tidepool.workload.measured.ycsb.Ycsb;

/**
 * A foreign store, or one of ours that was made for comparison. Its settings are fixed in its classes.
 *
 * @param name on the command line and in reports
 * @param bank the class that implements {@link Bank}, for SmallBank; empty if there is none
 * @param keyStore the class that implements {@link KeyStore}, for YCSB; empty if there is none
 * @param isOrdered whether its key store scans, for YCSB E
 * @param orderedStore the class that implements {@link OrderedStore}, for TPC-C by indexes; empty if there is none
 * @param program that has to be on the PATH; empty if it needs none
 * @param keeps where it keeps its rows
 */
record Peer(
        String name,
        String bank,
        String keyStore,
        boolean isOrdered,
        String orderedStore,
        String program,
        Keeps keeps) {
    /** The peer that runs every workload without scans. */
    static final Peer STRAW = new Peer("straw", "", "", false, "", "", Keeps.ON_THE_HEAP);

    private static final String FOREIGN = "tidepool.peers.";
    private static final int MIN_VALUE_BYTES = 24;
    private static final long HEAP_BYTES_PER_ROW = 512;
    private static final long FILE_BYTES_PER_ROW = 1024;
    private static final long ORDERED_BYTES_PER_ROW = 64;
    private static final long MORE_FILE_BYTES = 1L << 30;

    /** The place of a store's rows. */
    enum Keeps {
        ON_THE_HEAP,
        IN_FILES,
        ELSEWHERE
    }

    /** Returns whether it is a foreign store, whose libraries are in the module {@code peers}. */
    boolean isForeign() {
        return bank.startsWith(FOREIGN) || keyStore.startsWith(FOREIGN);
    }

    /** Returns a sentence if its program is not installed; null if all is there. */
    String missing(String path) {
        if (program.isEmpty()) return null;
        if (program.startsWith("/")) {
            if (Files.isDirectory(Path.of(program))) return null;
            return "no folder " + program + ", so " + name
                    + " is not installed; install it, or leave it out of --peers";
        }
        for (String folder : path.split(Pattern.quote(File.pathSeparator), -1))
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) return null;
        return "no " + program + " on the PATH; install it, or leave " + name + " out of --peers";
    }

    /** Returns whether it can run a workload of this kind, perhaps with other options. */
    boolean runs(MeasuredWorkload workload) {
        return this == STRAW && !scans(workload)
                || workload instanceof SmallBank && !bank.isEmpty()
                || workload instanceof Ycsb ycsb
                        && !keyStore.isEmpty()
                        && (ycsb.onlyReadsAndUpdates() || isOrdered && ycsb.onlyScansAndInserts())
                || workload instanceof Tpcc && !orderedStore.isEmpty() && scans(workload);
    }

    /** Returns whether transactions of a workload read ranges of keys, which a hash map does not have. */
    private static boolean scans(MeasuredWorkload workload) {
        return workload.tables().stream().anyMatch(table -> table.schema().isIndexed());
    }

    /** Refuses options of a workload that it cannot follow. */
    void requireOptions(MeasuredWorkload workload) {
        if (this == STRAW) return;
        if (workload instanceof SmallBank asked && asked.names())
            throw new IllegalArgumentException(name + " keeps no names of customers; add --set names=off");
        if (workload instanceof Ycsb ycsb && ycsb.valueBytes() < MIN_VALUE_BYTES)
            throw new IllegalArgumentException(name + " has records of at least " + MIN_VALUE_BYTES + " bytes, not "
                    + ycsb.valueBytes() + "; add --set value=1000");
    }

    /** Returns the bytes of files, for the first copy and the log of a run's changes. */
    long fileBytes(MeasuredWorkload workload) {
        return keeps != Keeps.IN_FILES ? 0 : rows(workload, FILE_BYTES_PER_ROW) + MORE_FILE_BYTES;
    }

    long heapBytes(MeasuredWorkload workload) {
        return keeps != Keeps.ON_THE_HEAP ? 0 : rows(workload, HEAP_BYTES_PER_ROW);
    }

    private static long rows(MeasuredWorkload workload, long bytesPerRow) {
        long bytes = 0;
        for (TableSpec table : workload.tables())
            bytes += table.rows() * (bytesPerRow + 2L * table.schema().length());
        return bytes;
    }

    Contender open(ContenderOptions options) {
        if (this == STRAW) return new StrawContender(options.workload());
        if (options.workload() instanceof Ycsb ycsb) {
            int records = Math.toIntExact(ycsb.records());
            boolean scans = ycsb.onlyScansAndInserts();
            KeyStoreOptions of = new KeyStoreOptions(
                    name,
                    options.folder(),
                    records,
                    scans ? Ycsb.SPREAD_SHIFT : 0,
                    ycsb.inserts(),
                    ycsb.valueBytes(),
                    options.drivers());
            KeyStore store = make(keyStore, KeyStore.class, of);
            return scans ? new RangeContender(store, ycsb) : new KeyStoreContender(store, ycsb);
        }
        if (options.workload() instanceof Tpcc tpcc) {
            OrderedStoreOptions of =
                    new OrderedStoreOptions(options.folder(), 2 * rows(tpcc, ORDERED_BYTES_PER_ROW), options.drivers());
            return new OrderedContender(make(orderedStore, OrderedStore.class, of), tpcc);
        }
        SmallBank workload = (SmallBank) options.workload();
        Customers customers = new Customers(
                Math.toIntExact(workload.accounts()), Math.toIntExact(workload.hot()), workload.hotShare());
        BankOptions of = new BankOptions(name, options.folder(), customers.count(), options.drivers());
        return new BankContender(make(bank, Bank.class, of), customers);
    }

    private <T> T make(String className, Class<T> type, Object options) {
        try {
            return Class.forName(className)
                    .asSubclass(type)
                    .getConstructor(options.getClass())
                    .newInstance(options);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException told) throw told;
            if (e.getCause() instanceof Error error) throw error;
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(name + " is not on the class path", e);
        }
    }
}
