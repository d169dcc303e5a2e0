package tidepool.bench.race;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankContender;
import tidepool.bench.smallbank.BankOptions;
import tidepool.bench.smallbank.Customers;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.TableSpec;
import tidepool.workload.measured.smallbank.SmallBank;

/**
 * A store of somebody else, or one that we made to compare ourselves with. What is set stands in its class and does not
 * change.
 *
 * @param name on the command line and in reports
 * @param bank the class that implements {@link Bank}, for SmallBank
 * @param program that has to be on the PATH; empty if it needs none
 * @param keepsRows where
 */
record Peer(String name, String bank, String program, Keeps keepsRows) {
    private static final long HEAP_BYTES_PER_ROW = 512;
    private static final long FILE_BYTES_PER_ROW = 1024;
    private static final long MORE_FILE_BYTES = 1L << 30;

    /** Where a store keeps its rows. */
    enum Keeps {
        ON_THE_HEAP,
        IN_FILES,
        ELSEWHERE
    }

    /** Whether it is somebody else's, whose libraries lie in the room {@code peers}. */
    boolean isForeign() {
        return bank.startsWith("tidepool.peers.");
    }

    /** Refuses to run without its program. */
    void requireProgram(String path) {
        if (program.isEmpty()) return;
        for (String folder : path.split(Pattern.quote(File.pathSeparator), -1))
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) return;
        throw new IllegalArgumentException(
                "no " + program + " on the PATH; install it, or leave " + name + " out of --peers");
    }

    /** Whether it can run this workload. Banks keep no names. */
    boolean runs(MeasuredWorkload workload) {
        return workload instanceof SmallBank asked && !asked.names() && bank != null;
    }

    /** Bytes of files, for the first copy and the log of what a run changes. */
    long fileBytes(MeasuredWorkload workload) {
        return keepsRows == Keeps.IN_FILES ? FILE_BYTES_PER_ROW * rows(workload) + MORE_FILE_BYTES : 0;
    }

    long heapBytes(MeasuredWorkload workload) {
        return keepsRows == Keeps.ON_THE_HEAP ? HEAP_BYTES_PER_ROW * rows(workload) : 0;
    }

    private static long rows(MeasuredWorkload workload) {
        return workload.tables().stream().mapToLong(TableSpec::rows).sum();
    }

    Contender open(ContenderOptions options) {
        SmallBank workload = (SmallBank) options.workload();
        Customers customers = new Customers(
                Math.toIntExact(workload.accounts()), Math.toIntExact(workload.hot()), workload.hotShare());
        BankOptions bankOptions = new BankOptions(name, options.folder(), customers.count(), options.hands());
        return new BankContender(make(bank, Bank.class, bankOptions), customers);
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
