package tidepool.node.journal;

import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The settings of a journal.
 *
 * @param segmentBytes about the length of a file of the journal
 * @param checkpointBytes bytes of journal after a checkpoint at which the next checkpoint begins; more if the last
 *     checkpoint was larger
 * @param disks makes the disk of a folder
 * @param spares runs the task that makes the next segment before it is needed; null for segments that grow
 * @param mapping maps regions if the folder is persistent memory, so that the journal does not need their data; null if
 *     the journal always has their data
 */
public record JournalOptions(
        Durability durability,
        long segmentBytes,
        long checkpointBytes,
        Function<Path, JournalDisk> disks,
        Executor spares,
        PersistentMapping mapping) {

    /** Makes options under which the data of regions is always in the journal. */
    public JournalOptions(
            Durability durability,
            long segmentBytes,
            long checkpointBytes,
            Function<Path, JournalDisk> disks,
            Executor spares) {
        this(durability, segmentBytes, checkpointBytes, disks, spares, null);
    }

    public static JournalOptions of(Durability durability) {
        return of(durability, 64L << 20, 256L << 20);
    }

    public static JournalOptions of(Durability durability, long segmentBytes, long checkpointBytes) {
        Executor ownThread = task ->
                Thread.ofPlatform().daemon().name("tidepool-spare-segment").start(task);
        return new JournalOptions(
                durability,
                segmentBytes,
                checkpointBytes,
                SystemDisk::new,
                durability == Durability.STRICT ? ownThread : null,
                durability == Durability.STRICT ? PersistentMapping.system() : null);
    }

    public JournalOptions withLines(PersistentMapping value) {
        return new JournalOptions(durability, segmentBytes, checkpointBytes, disks, spares, value);
    }
}
