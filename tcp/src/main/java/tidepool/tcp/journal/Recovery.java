package tidepool.tcp.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Id128;

/**
 * Reads what a node left: the newest checkpoint, and the journal behind it up to the first block that a crash has torn.
 * What is foreign, damaged, missing or newer is refused with a sentence, and nothing of it is served. Changes nothing.
 */
public final class Recovery {
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
    private long firstSequence; // of the first segment that was read
    private boolean atHome;
    private EndRecord end;
    private boolean endIsHere; // the block that the record names was read, and is the one
    private boolean endIsNeeded;

    private Recovery(JournalDisk disk, Replay target) {
        this.disk = disk;
        this.target = new Counting(target);
    }

    /** Null if no journal has begun here. */
    public static Recovery read(JournalDisk disk, Replay target) throws IOException {
        List<String> names = disk.list();
        if (!names.contains(Names.IDENTITY)) {
            refuseOrphans(disk, names);
            return null;
        }
        Recovery recovery = new Recovery(disk, target);
        recovery.read(names);
        return recovery;
    }

    /** The first start has written one segment at most when it crashed, and nobody was served. */
    private static void refuseOrphans(JournalDisk disk, List<String> names) {
        List<Long> segments = Names.segments(names);
        boolean begun = segments.isEmpty() || segments.equals(List.of(1L));
        if (!begun || !Names.checkpoints(names).isEmpty() || names.contains(Names.PLACE))
            throw JournalException.missing(disk.path(Names.IDENTITY), "the file that says whose journal it is is gone");
    }

    private void read(List<String> names) throws IOException {
        node = Identity.read(disk);
        atHome = Identity.isAtHome(disk, node);
        end = EndFile.read(disk, node);
        List<Long> checkpoints = Names.checkpoints(names);
        if (!checkpoints.isEmpty()) checkpoint(checkpoints.getLast());
        segments(Names.segments(names));
        if (sequence < target.needed)
            throw JournalException.missing(
                    disk.path(Names.segment(lastSegment)),
                    "the journal ends at block " + sequence + ", before block " + target.needed
                            + ", up to which it was forced before the checkpoint was made");
    }

    private void checkpoint(long number) throws IOException {
        String path = disk.path(Names.checkpoint(number));
        try (JournalDisk.File file = disk.open(Names.checkpoint(number))) {
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
        if (numbers.isEmpty()) throw JournalException.missing(disk.path(Names.segment(1)), "there is no journal");
        int begin = firstNeeded(numbers);
        for (int i = begin; i < numbers.size(); i++) {
            long number = numbers.get(i);
            if (i > begin && number != lastSegment + 1)
                throw JournalException.missing(
                        disk.path(Names.segment(lastSegment + 1)), "a file of the journal is gone");
            lastSegment = number;
            segment(number, i == begin, i == numbers.size() - 1);
        }
    }

    /** Of those that a checkpoint has replaced some may be gone and others not: names are not forced one by one. */
    private int firstNeeded(List<Long> numbers) throws IOException {
        for (int i = numbers.size() - 1; i > 0; i--) {
            String name = Names.segment(numbers.get(i));
            try (JournalDisk.File file = disk.open(name)) {
                if (FileHeader.read(file, disk.path(name), JournalLayout.SEGMENT_MAGIC, node)
                                .first()
                        <= firstBlock) return i;
            }
        }
        return 0;
    }

    private void segment(long number, boolean isFirst, boolean isLast) throws IOException {
        String name = Names.segment(number);
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
                        disk.path(Names.segment(number - 1)),
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

    /** Whether it is a journal of before there were records of the end. */
    boolean lacksEnd() {
        return end == null && !endIsNeeded;
    }

    // ---- what was found

    /** Whether the journal is shorter than what was acknowledged, or cannot prove that it is not. */
    public boolean isShort() {
        if (end == null) return endIsNeeded;
        if (end.state() == EndRecord.State.DISBELIEVED) return true;
        // What lies before the first segment that is left was forced before its checkpoint was made.
        return !endIsHere && end.sequence() >= firstSequence - 1;
    }

    /** Whether an administrator has said that what was found is all there is. */
    public boolean isBelieved() {
        return end != null && end.state() == EndRecord.State.BELIEVED && !isShort();
    }

    /** What is wrong with the end of the journal; null if nothing is. */
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

    /** What the next life, with so many losses of power, says about the end of the journal. */
    Shortfall shortfall(long losses) {
        if (isShort()) return here(losses);
        return isBelieved() ? Shortfall.NONE : target.lives.isEmpty() ? Shortfall.NONE : last().shortfall();
    }

    /** The last start that found the journal too short, as the journal itself remembers it. */
    public Shortfall shortfall() {
        return target.lives.isEmpty() ? Shortfall.NONE : last().shortfall();
    }

    private Life last() {
        return target.lives.getLast();
    }

    /** The last lives that the journal knows. */
    List<Life> lives() {
        return target.lives;
    }

    Id128 node() {
        return node;
    }

    long lastSegment() {
        return lastSegment;
    }

    /** The last block that is whole. */
    public long sequence() {
        return sequence;
    }

    long checksum() {
        return checksum;
    }

    /** Where the last whole block ends in the last segment. */
    public long endAt() {
        return endAt;
    }

    /** Whether something torn lies behind it; zeros are only room for more. */
    public boolean isTorn() {
        return torn;
    }

    /** The first block that is not in the checkpoint. */
    public long firstBlock() {
        return firstBlock;
    }

    /** Bytes of the journal that lie there. */
    public long journalBytes() {
        return segmentBytes;
    }

    /** Whether the last life ended in order, so that nothing can be lost. */
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

    /** Hands everything on and remembers what the recovery itself has to know. */
    private static final class Counting implements Replay {
        private final Replay target;
        private final List<Life> lives = new ArrayList<>();
        private boolean closed;
        private boolean ended;
        private long needed;

        Counting(Replay target) {
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
            // A checkpoint may have been made in a life whose first block is read again.
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
