package tidepool.node.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Id128;
import tidepool.wire.Shortfall;

/**
 * Reader of a journal on disk: the newest checkpoint, then the journal after it up to the first block that a crash has
 * torn. Throws a {@link JournalException} if a file is foreign, damaged, missing or of a newer version; then nothing is
 * served. Changes nothing on disk.
 */
public final class JournalRecovery {
    private final JournalDisk disk;
    private final Counting target;
    private Id128 node;
    private long firstBlock = 1;
    private long lastSegment;
    private long sequence;
    private long checksum;
    private long endAt;
    private boolean torn;
    private long segmentBytes;
    private long firstSequence; // the sequence of the first block of the first segment that was read
    private boolean atHome;
    private EndRecord end;
    private boolean endIsHere; // the block that the end record names was read, with the recorded checksum
    private boolean endIsNeeded;

    private JournalRecovery(JournalDisk disk, EntryVisitor target) {
        this.disk = disk;
        this.target = new Counting(target);
    }

    /** Reads the journal. Returns null if the folder has no journal yet. */
    public static JournalRecovery read(JournalDisk disk, EntryVisitor target) throws IOException {
        List<String> names = disk.list();
        if (!names.contains(JournalFileNames.IDENTITY)) {
            refuseOrphans(disk, names);
            return null;
        }
        JournalRecovery recovery = new JournalRecovery(disk, target);
        recovery.read(names);
        return recovery;
    }

    /**
     * Refuses files without an identity. Only one case is harmless: a first start that crashed has written at most one
     * segment, and has served no client.
     */
    private static void refuseOrphans(JournalDisk disk, List<String> names) {
        List<Long> segments = JournalFileNames.segments(names);
        boolean begun = segments.isEmpty() || segments.equals(List.of(1L));
        if (!begun || !JournalFileNames.checkpoints(names).isEmpty() || names.contains(JournalFileNames.PLACE))
            throw JournalException.missing(
                    disk.path(JournalFileNames.IDENTITY), "the file that says whose journal it is is gone");
    }

    private void read(List<String> names) throws IOException {
        node = NodeIdentity.read(disk);
        atHome = NodeIdentity.isAtHome(disk, node);
        end = EndFile.read(disk, node);
        List<Long> checkpoints = JournalFileNames.checkpoints(names);
        if (!checkpoints.isEmpty()) checkpoint(checkpoints.getLast());
        segments(JournalFileNames.segments(names));
        if (sequence < target.needed)
            throw JournalException.missing(
                    disk.path(JournalFileNames.segment(lastSegment)),
                    "the journal ends at block " + sequence + ", before block " + target.needed
                            + ", up to which it was forced before the checkpoint was made");
    }

    private void checkpoint(long number) throws IOException {
        String path = disk.path(JournalFileNames.checkpoint(number));
        try (JournalDisk.File file = disk.open(JournalFileNames.checkpoint(number))) {
            FileHeader header = FileHeader.read(file, path, JournalLayout.CHECKPOINT_MAGIC, node);
            if (header.number() != number)
                throw JournalException.damaged(path, JournalLayout.NUMBER, "it has the name of another checkpoint");
            try (BlockReader blocks = new BlockReader(file, header.seed(), 0, 0)) {
                while (!target.ended && blocks.next()) blocks.replay(target, path);
                if (!target.ended || !blocks.isAtEnd())
                    throw JournalException.damaged(path, blocks.at(), "a block of a checkpoint is not whole");
            }
        }
        firstBlock = number;
    }

    private void segments(List<Long> numbers) throws IOException {
        if (numbers.isEmpty())
            throw JournalException.missing(disk.path(JournalFileNames.segment(1)), "there is no journal");
        int begin = firstNeeded(numbers);
        for (int i = begin; i < numbers.size(); i++) {
            long number = numbers.get(i);
            if (i > begin && number != lastSegment + 1)
                throw JournalException.missing(
                        disk.path(JournalFileNames.segment(lastSegment + 1)), "a file of the journal is gone");
            lastSegment = number;
            segment(number, i == begin, i == numbers.size() - 1);
        }
    }

    /**
     * Returns the index of the first segment that recovery needs. Of the segments that a checkpoint has replaced, any
     * subset may be gone, because deletions are not forced one by one.
     */
    private int firstNeeded(List<Long> numbers) throws IOException {
        for (int i = numbers.size() - 1; i > 0; i--) {
            String name = JournalFileNames.segment(numbers.get(i));
            try (JournalDisk.File file = disk.open(name)) {
                if (FileHeader.read(file, disk.path(name), JournalLayout.SEGMENT_MAGIC, node)
                                .first()
                        <= firstBlock) return i;
            }
        }
        return 0;
    }

    private void segment(long number, boolean isFirst, boolean isLast) throws IOException {
        String name = JournalFileNames.segment(number);
        String path = disk.path(name);
        try (JournalDisk.File file = disk.open(name)) {
            FileHeader header = FileHeader.read(file, path, JournalLayout.SEGMENT_MAGIC, node);
            if (header.number() != number)
                throw JournalException.damaged(path, JournalLayout.NUMBER, "it has the name of another segment");
            endIsNeeded |= header.version() >= JournalLayout.VERSION_WITH_END;
            // The record may name the last block of a segment that a checkpoint has replaced.
            if (isFirst) firstSequence = header.first();
            if (isFirst) endIsHere |= isEnd(header.first() - 1, header.previous());
            if (isFirst && header.first() > firstBlock)
                throw JournalException.missing(
                        disk.path(JournalFileNames.segment(number - 1)),
                        "the journal begins with block " + header.first() + ", and block " + firstBlock
                                + " is needed; a file is gone");
            if (!isFirst && (header.first() != sequence + 1 || header.previous() != checksum))
                throw JournalException.damaged(
                        path,
                        JournalLayout.FIRST,
                        "it does not follow the segment before it, which ends with block " + sequence);
            try (BlockReader blocks = new BlockReader(file, header.seed(), header.first() - 1, header.previous())) {
                while (blocks.next()) {
                    endIsHere |= isEnd(blocks.sequence(), blocks.checksum());
                    if (!blocks.isMark()) target.closed = false;
                    if (blocks.sequence() >= firstBlock) blocks.replay(target, path);
                }
                if (!blocks.isAtEnd() && !(isLast && blocks.areZerosLeft())) torn(blocks, path, isLast);
                sequence = blocks.sequence();
                checksum = blocks.checksum();
                endAt = blocks.at();
            }
            segmentBytes += endAt;
        }
    }

    private void torn(BlockReader blocks, String path, boolean isLast) throws IOException {
        if (!isLast || blocks.isDamagedHere())
            throw JournalException.damaged(
                    path, blocks.at(), "block " + (blocks.sequence() + 1) + " is not what was written");
        torn = true;
    }

    private boolean isEnd(long block, long sum) {
        return end != null && end.sequence() == block && end.checksum() == sum;
    }

    /** Returns whether the journal is of a format version without end records. */
    boolean lacksEnd() {
        return end == null && !endIsNeeded;
    }

    // ---- results

    /** Returns whether the journal is shorter than what was acknowledged, or cannot prove that it is not. */
    public boolean isShort() {
        if (end == null) return endIsNeeded;
        if (end.state() == EndRecord.State.DISBELIEVED) return true;
        // Blocks before the first remaining segment were forced before the checkpoint that replaced them was made.
        return !endIsHere && end.sequence() >= firstSequence - 1;
    }

    /** Returns whether an administrator has declared that the journal is complete. */
    public boolean isBelieved() {
        return end != null && end.state() == EndRecord.State.BELIEVED && !isShort();
    }

    /** Returns the fault at the end of the journal; null if there is none. */
    public String shortage() {
        if (!isShort()) return null;
        String folder = disk.path("").replaceAll("/$", "");
        if (end != null && end.state() == EndRecord.State.DISBELIEVED)
            return "an administrator has said that other copies are newer than the journal in " + folder;
        return here(1).text(folder);
    }

    private Shortfall here(long at) {
        return new Shortfall(at, lastSegment, sequence, end == null ? 0 : end.sequence());
    }

    /** Returns the shortfall that the next life records; {@code losses} is its count of losses of power. */
    Shortfall shortfall(long losses) {
        if (isShort()) return here(losses);
        return isBelieved() ? Shortfall.NONE : target.lives.isEmpty() ? Shortfall.NONE : last().shortfall();
    }

    /** Returns the last start that found the journal too short, as recorded in the journal. */
    public Shortfall shortfall() {
        return target.lives.isEmpty() ? Shortfall.NONE : last().shortfall();
    }

    private Life last() {
        return target.lives.getLast();
    }

    /** Returns the last lives that the journal knows. */
    List<Life> lives() {
        return target.lives;
    }

    Id128 node() {
        return node;
    }

    long lastSegment() {
        return lastSegment;
    }

    /** Returns the last whole block. */
    public long sequence() {
        return sequence;
    }

    long checksum() {
        return checksum;
    }

    /** Returns the offset in the last segment at which the last whole block ends. */
    public long endAt() {
        return endAt;
    }

    /** Returns whether a torn block follows the last whole one. Zeros are free space and not a torn block. */
    public boolean isTorn() {
        return torn;
    }

    /** Returns the first block that is not in the checkpoint. */
    public long firstBlock() {
        return firstBlock;
    }

    /** Returns the bytes of the segments that were read, up to the last whole block. */
    public long journalBytes() {
        return segmentBytes;
    }

    /** Returns whether the last life ended in order, so that nothing can be lost. */
    public boolean isClosed() {
        return target.closed && atHome && !torn && !isShort() && !isBelieved();
    }

    boolean isAtHome() {
        return atHome;
    }

    public long life() {
        return target.lives.isEmpty() ? 0 : last().number();
    }

    public long powerLosses() {
        return target.lives.isEmpty() ? 0 : last().powerLosses();
    }

    /** A visitor that forwards all entries and keeps the facts that the recovery itself needs. */
    private static final class Counting implements EntryVisitor {
        private final EntryVisitor target;
        private final List<Life> lives = new ArrayList<>();
        private boolean closed;
        private boolean ended;
        private long needed;

        Counting(EntryVisitor target) {
            this.target = target;
        }

        @Override
        public boolean pool(int pool, String name, Id128 id, int number, int nodes) {
            return target.pool(pool, name, id, number, nodes);
        }

        @Override
        public boolean create(int pool, int region, long bytes) {
            return target.create(pool, region, bytes);
        }

        @Override
        public boolean delete(int pool, int region) {
            return target.delete(pool, region);
        }

        @Override
        public boolean bytes(int pool, int region, long offset, MemorySegment from, long at, long length) {
            return target.bytes(pool, region, offset, from, at, length);
        }

        @Override
        public boolean zero(int pool, int region, long offset, long length) {
            return target.zero(pool, region, offset, length);
        }

        @Override
        public boolean life(Life begins) {
            // A checkpoint made in this life already contained it, and the first block of the life may be read again.
            if (lives.isEmpty() || lives.getLast().number() < begins.number()) lives.add(begins);
            return target.life(begins);
        }

        @Override
        public boolean closed() {
            closed = true;
            return target.closed();
        }

        @Override
        public boolean end(long block) {
            ended = true;
            needed = block;
            return target.end(block);
        }
    }
}
