package tidepool.node.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.node.journal.JournalException.Reason;

/**
 * The identity of a node, and the proof that a folder is its own and not a copy. File {@code identity} has the id that
 * every file of the journal names. It is written after the first segment: without it there is no journal yet. File
 * {@code place} has its own stamp, which a copy does not have. A copy is refused, because it may be older than the
 * original.
 */
final class NodeIdentity {
    private NodeIdentity() {}

    static Id128 read(JournalDisk disk) throws IOException {
        long magic = isLines(disk) ? JournalLayout.LINES_IDENTITY_MAGIC : JournalLayout.IDENTITY_MAGIC;
        try (JournalDisk.File file = disk.open(JournalFileNames.IDENTITY)) {
            return FileHeader.read(file, disk.path(JournalFileNames.IDENTITY), magic, null)
                    .node();
        }
    }

    /** Returns whether the folder has the journal of a node whose regions are files of persistent memory. */
    static boolean isLines(JournalDisk disk) throws IOException {
        if (!disk.list().contains(JournalFileNames.IDENTITY)) return false;
        try (JournalDisk.File file = disk.open(JournalFileNames.IDENTITY);
                Arena arena = Arena.ofConfined()) {
            if (file.size() < Words.BYTES) return false;
            MemorySegment magic = arena.allocate(Words.BYTES, Words.BYTES);
            DiskTransfer.read(file, magic, Words.BYTES, 0);
            return Words.plain(magic, 0) == JournalLayout.LINES_IDENTITY_MAGIC;
        }
    }

    static void write(JournalDisk disk, Id128 node) throws IOException {
        put(disk, JournalFileNames.IDENTITY, JournalLayout.IDENTITY_MAGIC, node, 0);
    }

    /** Writes the identity of a node whose regions are files of persistent memory. */
    static void writeLines(JournalDisk disk, Id128 node) throws IOException {
        put(disk, JournalFileNames.IDENTITY, JournalLayout.LINES_IDENTITY_MAGIC, node, 0);
    }

    /**
     * Returns true if the folder is the original; throws if it is a copy. Returns false if {@code place} is missing:
     * then an administrator has removed it on purpose, to accept a copy.
     */
    static boolean isAtHome(JournalDisk disk, Id128 node) throws IOException {
        if (!disk.list().contains(JournalFileNames.PLACE)) return false;
        String path = disk.path(JournalFileNames.PLACE);
        try (JournalDisk.File file = disk.open(JournalFileNames.PLACE)) {
            long stamp = FileHeader.read(file, path, JournalLayout.IDENTITY_MAGIC, node)
                    .number();
            if (stamp == disk.stamp(JournalFileNames.PLACE)) return true;
        }
        throw new JournalException(
                Reason.FOREIGN,
                "the folder is a copy of a node's folder, and may be older than what clients were told: " + path
                        + "; start the node on the folder itself, or, if this is the newest there is and the other is"
                        + " gone for good, remove that file and start again");
    }

    static void settle(JournalDisk disk, Id128 node) throws IOException {
        String unfinished = JournalFileNames.unfinished(JournalFileNames.PLACE);
        disk.create(unfinished).close();
        put(disk, JournalFileNames.PLACE, JournalLayout.IDENTITY_MAGIC, node, disk.stamp(unfinished));
    }

    private static void put(JournalDisk disk, String name, long magic, Id128 node, long number) throws IOException {
        String unfinished = JournalFileNames.unfinished(name);
        try (JournalDisk.File file = disk.create(unfinished)) {
            new FileHeader(magic, node, number, 0, 0, 0).write(file);
            file.force();
        }
        disk.rename(unfinished, name);
        disk.forceNames();
    }
}
