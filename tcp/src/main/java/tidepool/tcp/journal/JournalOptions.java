package tidepool.tcp.journal;

import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * How a journal is kept.
 *
 * @param segmentBytes about the length of a file of the journal
 * @param checkpointBytes the journal that may lie behind a checkpoint before the next one is begun; more if the node's
 *     memory is larger
 * @param disks the disk that a folder is
 * @param spares where the next segment is made before it is needed; null for segments that grow
 * @param lines how regions are mapped where the folder is persistent memory, so that the journal need not have their data;
 *     null if it always has it
 */
public record JournalOptions(
        Durability durability,
        long segmentBytes,
        long checkpointBytes,
        Function<Path, JournalDisk> disks,
        Executor spares,
        LineMapping lines) {

    /** The data is always in the journal. */
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
        Executor beside = task ->
                Thread.ofPlatform().daemon().name("tidepool-spare-segment").start(task);
        return new JournalOptions(
                durability,
                segmentBytes,
                checkpointBytes,
                SystemDisk::new,
                durability == Durability.STRICT ? beside : null,
                durability == Durability.STRICT ? LineMapping.system() : null);
    }

    public JournalOptions withLines(LineMapping value) {
        return new JournalOptions(durability, segmentBytes, checkpointBytes, disks, spares, value);
    }
}
