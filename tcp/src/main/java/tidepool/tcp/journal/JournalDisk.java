package tidepool.tcp.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The one folder in which a journal lies, and all that is ever done to it. Real files are {@link SystemDisk}; tests have
 * one that forgets what was not forced.
 */
public interface JournalDisk {
    /** A file that is open. */
    interface File extends AutoCloseable {
        /** Writes some of the bytes, at least one, at that place; returns how many. A full disk is a {@link DiskFull}. */
        int write(ByteBuffer from, long at) throws IOException;

        /** The same, and returns when these bytes would outlast a loss of power; what was written before them may not. */
        int writeForced(ByteBuffer from, long at) throws IOException;

        /** Reads some bytes of that place; -1 at the end. */
        int read(ByteBuffer to, long at) throws IOException;

        long size() throws IOException;

        /** Returns when the content, and the length, would outlast a loss of power. */
        void force() throws IOException;

        void truncate(long size) throws IOException;

        @Override
        void close() throws IOException;
    }

    /** The names of the files that are there, in no order. */
    List<String> list() throws IOException;

    /** Makes an empty file, or empties the one that is there. */
    File create(String name) throws IOException;

    /** Opens a file that is there. */
    File open(String name) throws IOException;

    /** Replaces what has the new name, all at once. */
    void rename(String from, String to) throws IOException;

    void delete(String name) throws IOException;

    /** Returns when the names of all files would outlast a loss of power. */
    void forceNames() throws IOException;

    /** A number that a file keeps as long as it lives and a copy of it does not have. */
    long stamp(String name) throws IOException;

    /** Where a file lies, for sentences. */
    String path(String name);
}
