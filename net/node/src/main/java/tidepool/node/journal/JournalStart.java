package tidepool.node.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Id128;
import tidepool.base.Ids;
import tidepool.wire.Shortfall;

/**
 * The start of a life of a node. It recovers the journal of the last life, or begins a journal, and records the new
 * life on disk.
 *
 * <pre>
 *   step                                              a crash right after it leaves
 *   remove unfinished files, cut off a torn block     less work for the next start
 *   a new segment; its first block names the life     a life without changes; the end record of the last life is valid
 *   a new end record                                  a life without changes
 *   at the first start: identity, place               a journal
 * </pre>
 */
final class JournalStart {
    /** Limit of the lives that a journal keeps. */
    private static final int MAX_LIVES = 256;

    private final JournalDisk disk;
    private final Id128 node;
    private final List<Life> lives;
    private final String shortage;
    private final boolean believed;
    private final long journalBytes;
    private final SegmentWriter writer;

    JournalStart(JournalDisk disk, JournalOptions options, EntryVisitor target, Ids ids) throws IOException {
        this.disk = disk;
        JournalRecovery found = JournalRecovery.read(disk, target);
        this.node = found == null ? ids.next() : found.node();
        this.shortage = found == null ? null : found.shortage();
        this.believed = found != null && found.isBelieved();
        this.lives = lives(found, ids.next().low() | 1);
        this.journalBytes = found == null ? 0 : found.journalBytes();
        if (found != null) tidy(found);
        this.writer = new SegmentWriter(
                disk,
                node,
                life(),
                options,
                found == null ? 0 : found.lastSegment(),
                found == null ? 0 : found.sequence(),
                found == null ? 0 : found.checksum());
        // A segment of the new format version requires an end record, so the record comes first.
        if (found != null && found.lacksEnd()) writer.recordEnd();
        writer.rotate();
        EntryBuffer first = new EntryBuffer();
        first.life(lives.getLast());
        writer.append(first);
        writer.force();
        writer.recordEnd();
        if (found == null && options.mapping() == null) NodeIdentity.write(disk, node);
        if (found == null && options.mapping() != null) NodeIdentity.writeLines(disk, node);
        if (found == null || !found.isAtHome()) NodeIdentity.settle(disk, node);
    }

    private static List<Life> lives(JournalRecovery found, long nonce) {
        if (found == null) return List.of(new Life(1, nonce, 0, Shortfall.NONE));
        List<Life> known = found.lives();
        List<Life> all = new ArrayList<>(known.subList(Math.max(0, known.size() - MAX_LIVES + 1), known.size()));
        long losses = found.powerLosses() + (found.isClosed() ? 0 : 1);
        all.add(new Life(found.life() + 1, nonce, losses, found.shortfall(losses)));
        return List.copyOf(all);
    }

    /**
     * Removes unfinished and replaced files and the torn end of the last life. All steps can be repeated after a crash.
     */
    private void tidy(JournalRecovery found) throws IOException {
        for (String name : disk.list()) if (JournalFileNames.isUnfinished(name)) disk.delete(name);
        try (JournalDisk.File file = disk.open(JournalFileNames.segment(found.lastSegment()))) {
            if (found.endAt() < file.size()) file.truncate(found.endAt());
            // The blocks that were read may be only in the operating system's cache, and the next segment names the
            // last of them. Without this force, a loss of power could leave a segment that does not follow the one
            // before it.
            file.force();
        }
        if (found.firstBlock() > 1) CheckpointWriter.removeOlder(disk, found.firstBlock());
    }

    Id128 node() {
        return node;
    }

    /** Returns the last lives of the node; the present one is the last. */
    List<Life> lives() {
        return lives;
    }

    long life() {
        return lives.getLast().number();
    }

    /** Returns how often the node has restarted without the changes that were not kept. */
    long powerLosses() {
        return lives.getLast().powerLosses();
    }

    /** Returns the fault at the end of the journal that was found; null if there is none. */
    String shortage() {
        return shortage;
    }

    /** Returns whether an administrator has declared that the journal is complete. */
    boolean isBelieved() {
        return believed;
    }

    /** Returns the bytes of the journal that was found. */
    long journalBytes() {
        return journalBytes;
    }

    SegmentWriter writer() {
        return writer;
    }
}
