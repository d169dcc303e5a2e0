package tidepool.node.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.node.journal.EndRecord.State;
import tidepool.node.journal.JournalException.Reason;

/**
 * The file that records what a journal has acknowledged, outside the segments. It has two slots, written in turns, each
 * within one sector. A record is written after the blocks that it names were forced, so it never claims too much. A
 * journal that ends before the recorded block was cut.
 *
 * <p>After each force of the journal the operating system has the record, so it is exact when the process is killed.
 * The record itself is forced when no work has come for a millisecond, at every {@value #EVERY}-th record and at the
 * end of a life. A loss of power may therefore leave an earlier record, which claims less.
 */
final class EndFile implements AutoCloseable {
    /** At the latest after this number of records, one is forced. */
    private static final int EVERY = 256;

    private final JournalDisk.File file;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment slot = arena.allocate(JournalLayout.END_SLOT.byteSize(), Words.BYTES);
    private final long seed;
    private EndRecord last;
    private long count;
    private long forced;

    private EndFile(JournalDisk.File file, Id128 node) {
        this.file = file;
        this.seed = seed(node);
    }

    /** Replaces the file and its earlier record atomically. */
    static EndFile replace(JournalDisk disk, Id128 node, EndRecord record) throws IOException {
        String unfinished = JournalFileNames.unfinished(JournalFileNames.END);
        EndFile end = new EndFile(disk.create(unfinished), node);
        boolean done = false;
        try {
            header(node).write(end.file);
            end.write(record, false);
            end.write(record, false); // both slots: the file has its length from now on
            end.file.force();
            disk.rename(unfinished, JournalFileNames.END);
            disk.forceNames();
            end.forced = end.count;
            done = true;
            return end;
        } finally {
            if (!done) end.close();
        }
    }

    private static FileHeader header(Id128 node) {
        return new FileHeader(JournalLayout.END_MAGIC, node, 0, 0, 0, 0);
    }

    /** Returns null if the file is gone or no record in it is whole. Refuses the file of another node or version. */
    static EndRecord read(JournalDisk disk, Id128 node) throws IOException {
        if (!disk.list().contains(JournalFileNames.END)) return null;
        try (JournalDisk.File file = disk.open(JournalFileNames.END);
                Arena arena = Arena.ofConfined()) {
            FileHeader.read(file, disk.path(JournalFileNames.END), JournalLayout.END_MAGIC, node);
            MemorySegment memory = arena.allocate(JournalLayout.END_SLOT.byteSize(), Words.BYTES);
            EndRecord newest = null;
            long count = -1;
            for (int i = 0; i < 2; i++) {
                if (file.size() < JournalLayout.endSlot(i) + memory.byteSize()) continue;
                DiskTransfer.read(file, memory, memory.byteSize(), JournalLayout.endSlot(i));
                EndRecord found = parse(memory, seed(node));
                if (found == null || Words.plain(memory, JournalLayout.END_COUNT) <= count) continue;
                count = Words.plain(memory, JournalLayout.END_COUNT);
                newest = found;
            }
            return newest;
        } catch (JournalException e) {
            if (e.reason() == Reason.DAMAGED) return null;
            throw e;
        }
    }

    private static EndRecord parse(MemorySegment memory, long seed) {
        long state = Words.plain(memory, JournalLayout.END_STATE);
        boolean whole = Words.plain(memory, JournalLayout.END_CHECKSUM) == checksum(memory, seed)
                && state >= 0
                && state < State.values().length;
        if (!whole) return null;
        return new EndRecord(
                State.values()[(int) state],
                Words.plain(memory, JournalLayout.END_LIFE),
                Words.plain(memory, JournalLayout.END_SEQUENCE),
                Words.plain(memory, JournalLayout.END_BLOCK));
    }

    /** Hands the record to the operating system, and forces it if {@value #EVERY} records have not been forced. */
    void note(EndRecord record) throws IOException {
        write(record, count - forced >= EVERY);
    }

    /** Returns when the last record would survive a loss of power. */
    void force() throws IOException {
        if (forced != count) write(last, true);
    }

    /** Returns when this record would survive a loss of power. */
    void force(EndRecord record) throws IOException {
        write(record, true);
    }

    private void write(EndRecord record, boolean force) throws IOException {
        last = record;
        count++;
        Words.plain(slot, JournalLayout.END_COUNT, count);
        Words.plain(slot, JournalLayout.END_STATE, record.state().ordinal());
        Words.plain(slot, JournalLayout.END_LIFE, record.life());
        Words.plain(slot, JournalLayout.END_SEQUENCE, record.sequence());
        Words.plain(slot, JournalLayout.END_BLOCK, record.checksum());
        Words.plain(slot, JournalLayout.END_CHECKSUM, checksum(slot, seed));
        long at = JournalLayout.endSlot(count);
        if (force) DiskTransfer.writeForced(file, slot, slot.byteSize(), at);
        else DiskTransfer.write(file, slot, 0, slot.byteSize(), at);
        if (force) forced = count;
    }

    private static long seed(Id128 node) {
        return JournalLayout.seed(JournalLayout.END_MAGIC, node, 0, 0);
    }

    private static long checksum(MemorySegment memory, long seed) {
        return Checksum64.of(memory, 0, JournalLayout.END_CHECKSUM, seed);
    }

    @Override
    public void close() throws IOException {
        arena.close();
        file.close();
    }
}
