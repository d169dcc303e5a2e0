package tidepool.tcp.journal;

import java.io.IOException;
import tidepool.base.Id128;
import tidepool.base.Ids;

/**
 * Begins a life of a node: recovers what the last one left, or begins a journal, and says so on disk.
 *
 * <pre>
 *   step                                              a crash right after it leaves
 *   remove what is unfinished, cut off what is torn   less to do
 *   a new segment; its first block says the life      a life in which nothing happened
 *   at the first start: identity, place               a journal
 * </pre>
 */
final class JournalStart {
    private final JournalDisk disk;
    private final Id128 node;
    private final long life;
    private final long powerLosses;
    private final long journalBytes;
    private final SegmentWriter writer;

    JournalStart(JournalDisk disk, JournalOptions options, Replay target, Ids ids) throws IOException {
        this.disk = disk;
        Recovery found = Recovery.read(disk, target);
        this.node = found == null ? ids.next() : found.node();
        this.life = found == null ? 1 : found.life() + 1;
        this.powerLosses = found == null ? 0 : found.powerLosses() + (found.isClosed() ? 0 : 1);
        this.journalBytes = found == null ? 0 : found.journalBytes();
        if (found != null) tidy(found);
        this.writer = new SegmentWriter(
                disk,
                node,
                life,
                options,
                found == null ? 0 : found.lastSegment(),
                found == null ? 0 : found.sequence(),
                found == null ? 0 : found.checksum());
        writer.rotate();
        EntryBuffer first = new EntryBuffer();
        first.life(life, powerLosses);
        writer.append(first);
        writer.force();
        if (found == null && options.lines() == null) Identity.write(disk, node);
        if (found == null && options.lines() != null) Identity.writeLines(disk, node);
        if (found == null || !found.isAtHome()) Identity.settle(disk, node);
    }

    /** What the last life left behind is taken away. All of it can be repeated. */
    private void tidy(Recovery found) throws IOException {
        for (String name : disk.list()) if (Names.isUnfinished(name)) disk.delete(name);
        try (JournalDisk.File file = disk.open(Names.segment(found.lastSegment()))) {
            if (found.endAt() < file.size()) file.truncate(found.endAt());
            // What was read may be with the operating system alone, and the next segment says that it is there.
            file.force();
        }
        if (found.firstBlock() > 1) CheckpointWriter.removeOlder(disk, found.firstBlock());
    }

    Id128 node() {
        return node;
    }

    long life() {
        return life;
    }

    /** How often the node has come back without what was not kept. */
    long powerLosses() {
        return powerLosses;
    }

    /** Bytes of the journal that were there. */
    long journalBytes() {
        return journalBytes;
    }

    SegmentWriter writer() {
        return writer;
    }
}
