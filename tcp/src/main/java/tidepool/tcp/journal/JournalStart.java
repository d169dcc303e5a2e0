package tidepool.tcp.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Id128;
import tidepool.base.Ids;

/**
 * Begins a life of a node: recovers what the last one left, or begins a journal, and says so on disk.
 *
 * <pre>
 *   step                                              a crash right after it leaves
 *   remove what is unfinished, cut off what is torn   less to do
 *   a new segment; its first block says the life      a life in which nothing happened
 *   a new record of the end                           the same; before it, the record of the last life still counts
 *   at the first start: identity, place               a journal
 * </pre>
 */
final class JournalStart {
    /** Lives that a journal remembers. */
    private static final int MOST_LIVES = 256;

    private final JournalDisk disk;
    private final Id128 node;
    private final List<Life> lives;
    private final String shortage;
    private final boolean believed;
    private final long journalBytes;
    private final SegmentWriter writer;

    JournalStart(JournalDisk disk, JournalOptions options, Replay target, Ids ids) throws IOException {
        this.disk = disk;
        Recovery found = Recovery.read(disk, target);
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
        // A new segment says that there is a record of the end.
        if (found != null && found.lacksEnd()) writer.recordEnd();
        writer.rotate();
        EntryBuffer first = new EntryBuffer();
        first.life(lives.getLast());
        writer.append(first);
        writer.force();
        writer.recordEnd();
        if (found == null && options.lines() == null) Identity.write(disk, node);
        if (found == null && options.lines() != null) Identity.writeLines(disk, node);
        if (found == null || !found.isAtHome()) Identity.settle(disk, node);
    }

    private static List<Life> lives(Recovery found, long nonce) {
        if (found == null) return List.of(new Life(1, nonce, 0, Shortfall.NONE));
        List<Life> known = found.lives();
        List<Life> all = new ArrayList<>(known.subList(Math.max(0, known.size() - MOST_LIVES + 1), known.size()));
        long losses = found.powerLosses() + (found.isClosed() ? 0 : 1);
        all.add(new Life(found.life() + 1, nonce, losses, found.shortfall(losses)));
        return List.copyOf(all);
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

    /** The last lives of the node; the present one is the last. */
    List<Life> lives() {
        return lives;
    }

    long life() {
        return lives.getLast().number();
    }

    /** How often the node has come back without what was not kept. */
    long powerLosses() {
        return lives.getLast().powerLosses();
    }

    /** What is wrong with the end of the journal that was found; null if nothing is. */
    String shortage() {
        return shortage;
    }

    /** Whether an administrator has said that what was found is all there is. */
    boolean isBelieved() {
        return believed;
    }

    /** Bytes of the journal that were there. */
    long journalBytes() {
        return journalBytes;
    }

    SegmentWriter writer() {
        return writer;
    }
}
