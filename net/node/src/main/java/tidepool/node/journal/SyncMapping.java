package tidepool.node.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import jdk.nio.mapmode.ExtendedMapMode;

/**
 * A mapping with MAP_SYNC. The file system guarantees that a cache line that was written back survives a loss of power,
 * with the metadata that is needed to find it. A force needs only processor instructions and no system call.
 */
final class SyncMapping implements PersistentMapping {
    @Override
    public MemorySegment map(Path file, long at, long bytes, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(ExtendedMapMode.READ_WRITE_SYNC, at, bytes, arena);
        } catch (UnsupportedOperationException e) {
            throw new IOException("this machine cannot write lines back: " + e.getMessage(), e);
        }
    }

    @Override
    public void force(MemorySegment memory, long offset, long bytes) {
        memory.asSlice(offset, bytes).force();
    }
}
