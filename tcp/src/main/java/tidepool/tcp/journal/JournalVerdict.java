package tidepool.tcp.journal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import tidepool.base.Id128;
import tidepool.tcp.journal.EndRecord.State;

/** What an administrator says about a journal that no node has open, where nothing else can tell. */
public final class JournalVerdict {
    private JournalVerdict() {}

    /** What the journal has is all there is: whatever came after it is lost, and other copies are filled from it. */
    public static void believe(JournalDisk disk) throws IOException {
        say(disk, State.BELIEVED);
    }

    /** Other copies are newer: what the journal has is filled anew from them. */
    public static void disbelieve(JournalDisk disk) throws IOException {
        say(disk, State.DISBELIEVED);
    }

    private static void say(JournalDisk disk, State state) throws IOException {
        Recovery found = Recovery.read(disk, new Anything());
        if (found == null) throw JournalException.missing(disk.path(Names.IDENTITY), "no journal has begun here");
        EndRecord record = new EndRecord(state, found.life(), found.sequence(), found.checksum());
        EndFile.replace(disk, found.node(), record).close();
    }

    /** A target to which everything can be. */
    private static final class Anything implements Replay {
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
