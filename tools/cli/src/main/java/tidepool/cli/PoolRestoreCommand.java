package tidepool.cli;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tidepool.backup.Backup;
import tidepool.backup.BackupException;
import tidepool.backup.BackupSummary;
import tidepool.fabric.FabricException;
import tidepool.store.StoreException;

/** {@code tidepool pool restore}: makes a new pool from a backup. */
@Command(
        name = "restore",
        description = {
            "Make a new pool that holds what a backup holds.",
            "The backup is checked from its beginning to its end before anything is begun; a pool that exists is not"
                    + " touched. With --check nothing is made.",
            "Layout, protocol and flush are those of the backup; only replicas= of the URL counts."
        })
final class PoolRestoreCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "FILE", description = "The backup.")
    Path file;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "URL",
            description = "The new pool: shm:PATH, tcp://HOST:PORT,…/POOL or zk://HOST:PORT,…/POOL.")
    String url;

    @Option(names = "--check", description = "Only check the backup.")
    boolean check;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        try {
            if (check) {
                tell("is whole", Backup.check(file));
                return 0;
            }
            if (url == null) throw new UserError("name the new pool by its URL, or give --check");
            tell("restored to " + url, Backup.restore(file, url));
            return 0;
        } catch (NoSuchFileException e) {
            throw new UserError("there is no file " + file);
        } catch (IllegalArgumentException | BackupException | FabricException | StoreException e) {
            throw new UserError(e.getMessage());
        }
    }

    private void tell(String what, BackupSummary summary) {
        spec.commandLine()
                .getOut()
                .println(file + " " + what + ": protocol "
                        + summary.protocol() + ", "
                        + summary.tables() + " tables, "
                        + summary.partitions() + " partitions with "
                        + Quantities.bytes(summary.usedBytes()) + " each, of epoch "
                        + summary.epoch());
    }
}
