package tidepool.tcp.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.tcp.journal.JournalException.Reason;

/**
 * Who a node is, and that this is its folder. {@code identity} has the number that every file of its journal names. It is
 * written when the first segment is there: without it there is no journal yet. {@code place} has the stamp of its own
 * file, which a copy does not have: nobody can say of a copy whether it is the newest.
 */
final class Identity {
    private Identity() {}

    static Id128 read(JournalDisk disk) throws IOException {
        long magic = isLines(disk) ? JournalLayout.LINES_IDENTITY_MAGIC : JournalLayout.IDENTITY_MAGIC;
        try (JournalDisk.File file = disk.open(Names.IDENTITY)) {
            return FileHeader.read(file, disk.path(Names.IDENTITY), magic, null).node();
        }
    }

    /** Whether a journal has begun here, of a node whose regions are files of persistent memory. */
    static boolean isLines(JournalDisk disk) throws IOException {
        if (!disk.list().contains(Names.IDENTITY)) return false;
        try (JournalDisk.File file = disk.open(Names.IDENTITY);
                Arena arena = Arena.ofConfined()) {
            if (file.size() < Words.BYTES) return false;
            MemorySegment magic = arena.allocate(Words.BYTES, Words.BYTES);
            DiskWork.read(file, magic, Words.BYTES, 0);
            return Words.plain(magic, 0) == JournalLayout.LINES_IDENTITY_MAGIC;
        }
    }

    static void write(JournalDisk disk, Id128 node) throws IOException {
        put(disk, Names.IDENTITY, JournalLayout.IDENTITY_MAGIC, node, 0);
    }

    /** Of a node whose regions are files of persistent memory. */
    static void writeLines(JournalDisk disk, Id128 node) throws IOException {
        put(disk, Names.IDENTITY, JournalLayout.LINES_IDENTITY_MAGIC, node, 0);
    }

    /** Refuses a folder that is a copy. False if nothing says where it is: then somebody took the mark away on purpose. */
    static boolean isAtHome(JournalDisk disk, Id128 node) throws IOException {
        if (!disk.list().contains(Names.PLACE)) return false;
        String path = disk.path(Names.PLACE);
        try (JournalDisk.File file = disk.open(Names.PLACE)) {
            long stamp = FileHeader.read(file, path, JournalLayout.IDENTITY_MAGIC, node)
                    .number();
            if (stamp == disk.stamp(Names.PLACE)) return true;
        }
        throw new JournalException(
                Reason.FOREIGN,
                "the folder is a copy of a node's folder, and may be older than what clients were told: " + path
                        + "; start the node on the folder itself, or, if this is the newest there is and the other is gone"
                        + " for good, remove that file and start again");
    }

    static void settle(JournalDisk disk, Id128 node) throws IOException {
        String unfinished = Names.unfinished(Names.PLACE);
        disk.create(unfinished).close();
        put(disk, Names.PLACE, JournalLayout.IDENTITY_MAGIC, node, disk.stamp(unfinished));
    }

    private static void put(JournalDisk disk, String name, long magic, Id128 node, long number) throws IOException {
        String unfinished = Names.unfinished(name);
        try (JournalDisk.File file = disk.create(unfinished)) {
            new FileHeader(magic, node, number, 0, 0, 0).write(file);
            file.force();
        }
        disk.rename(unfinished, name);
        disk.forceNames();
    }
}
