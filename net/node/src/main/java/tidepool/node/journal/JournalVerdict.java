package tidepool.node.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import tidepool.base.Id128;
import tidepool.node.journal.EndRecord.State;

/** The decision of an administrator about a closed journal of which no record shows whether it is complete. */
public final class JournalVerdict {
    private JournalVerdict() {}

    /** Declares the journal complete: any later change is lost, and other copies are filled from it. */
    public static void believe(JournalDisk disk) throws IOException {
        say(disk, State.BELIEVED);
    }

    /** Declares other copies newer: the node's data is filled again from them. */
    public static void disbelieve(JournalDisk disk) throws IOException {
        say(disk, State.DISBELIEVED);
    }

    private static void say(JournalDisk disk, State state) throws IOException {
        JournalRecovery found = JournalRecovery.read(disk, new Anything());
        if (found == null)
            throw JournalException.missing(disk.path(JournalFileNames.IDENTITY), "no journal has begun here");
        EndRecord record = new EndRecord(state, found.life(), found.sequence(), found.checksum());
        EndFile.replace(disk, found.node(), record).close();
    }

    /** A visitor that accepts every entry. */
    private static final class Anything implements EntryVisitor {
        @Override
        public boolean pool(int pool, String name, Id128 id, int number, int nodes) {
            return true;
        }

        @Override
        public boolean create(int pool, int region, long bytes) {
            return true;
        }

        @Override
        public boolean delete(int pool, int region) {
            return true;
        }

        @Override
        public boolean bytes(int pool, int region, long offset, MemorySegment from, long at, long length) {
            return true;
        }

        @Override
        public boolean zero(int pool, int region, long offset, long length) {
            return true;
        }
    }
}
