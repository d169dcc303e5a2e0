package tidepool.tcp.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
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
    private boolean atHome;

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

    // ---- what was found

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
        return target.closed && atHome && !torn;
    }

    boolean isAtHome() {
        return atHome;
    }

    public long life() {
        return target.life;
    }

    public long powerLosses() {
        return target.powerLosses;
    }

    /** Hands everything on and remembers what the recovery itself has to know. */
    private static final class Counting implements Replay {
        private final Replay target;
        private long life;
        private long powerLosses;
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
        public boolean life(long begins, long losses) {
            life = begins;
            powerLosses = losses;
            return target.life(begins, losses);
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
