package tidepool.backup;

/**
 * The content of a backup, in numbers.
 *
 * <pre>{@code
 * BackupSummary restored = Backup.restore(file, url);
 * }</pre>
 *
 * @param protocol the protocol of the pool, as its URL names it
 * @param replicas copies of each partition that the pool had
 * @param partitions the number of partitions
 * @param outlastsPower whether the pool flushed what it reported ({@code flush=selective} or {@code full})
 * @param tables the number of tables
 * @param usedBytes the bytes of each partition that tables take
 * @param epoch of the members of the pool, when the backup was taken
 * @param pieces the number of pieces of the file
 * @param bytes the length of the file
 */
public record BackupSummary(
        String protocol,
        int replicas,
        int partitions,
        boolean outlastsPower,
        int tables,
        long usedBytes,
        long epoch,
        long pieces,
        long bytes) {}
