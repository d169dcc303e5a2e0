package tidepool.node.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The folder of a journal, with all operations that are ever done to it. {@link SystemDisk} is the real one. Tests use
 * one that loses everything that was not forced.
 */
public interface JournalDisk {
    /** An open file. */
    interface File extends AutoCloseable {
        /** Writes at least one of the bytes at this offset and returns how many; throws {@link DiskFullException}. */
        int write(ByteBuffer from, long at) throws IOException;

        /**
         * Writes at least one of the bytes at this offset and returns how many, when these bytes would survive a loss
         * of power. Bytes written earlier may not survive it.
         */
        int writeForced(ByteBuffer from, long at) throws IOException;

        /** Reads some bytes from this offset and returns how many; -1 at the end. */
        int read(ByteBuffer to, long at) throws IOException;

        long size() throws IOException;

        /** Returns when the content and the length would survive a loss of power. */
        void force() throws IOException;

        void truncate(long size) throws IOException;

        @Override
        void close() throws IOException;
    }

    /** Returns the names of all files, in no order. */
    List<String> list() throws IOException;

    /** Makes an empty file, or empties an existing one. */
    File create(String name) throws IOException;

    /** Opens an existing file. */
    File open(String name) throws IOException;

    /** Renames a file. Replaces a file of the new name atomically. */
    void rename(String from, String to) throws IOException;

    void delete(String name) throws IOException;

    /** Returns when the names of all files would survive a loss of power. */
    void forceNames() throws IOException;

    /** Returns a number that a file keeps for its whole existence and that a copy of it does not have. */
    long stamp(String name) throws IOException;

    /** Returns the path of a file, for messages. */
    String path(String name);
}
