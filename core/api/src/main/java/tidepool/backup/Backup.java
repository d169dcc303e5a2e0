package tidepool.backup;

import java.io.IOException;
import java.nio.file.Path;
import tidepool.spi.BackupImage;

/**
 * Functions that check backups and restore them into new pools. {@code ./tidepool pool backup} writes a backup while
 * transactions run.
 *
 * <pre>{@code
 * BackupSummary restored = Backup.restore(file, url);
 * try (Tidepool pool = Tidepool.open(url)) {
 *     System.out.println(restored.tables() + " of " + pool.tables().size());
 * }
 * }</pre>
 */
public final class Backup {
    private Backup() {}

    /** Reads a backup from its beginning to its end. Fails with {@link BackupException} if it is not whole. */
    public static BackupSummary check(Path file) throws IOException {
        return BackupImage.check(file);
    }

    /**
     * Makes a new pool with the content of a backup. The backup is checked from its beginning to its end before the
     * pool is begun. A pool that exists is refused and not touched. If the restore is interrupted, there is no pool,
     * and the next session that opens it makes an empty one.
     *
     * @param url the new pool: {@code shm:PATH}, {@code tcp://HOST:PORT,…/POOL} or {@code zk://HOST:PORT,…/POOL}.
     *     Layout, protocol and flush policy are those of the backup, and only {@code replicas=} of the URL counts. The
     *     memory of a {@code mem:} pool ends with this call
     */
    public static BackupSummary restore(Path file, String url) throws IOException {
        return BackupImage.restore(file, url);
    }
}
