package tidepool.tcp.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import jdk.nio.mapmode.ExtendedMapMode;

/**
 * Mappings with MAP_SYNC: the file system promises that a line that was written back outlasts a loss of power, with all that
 * is needed to find it again. Forcing is a matter of the processor alone, without a system call.
 */
final class SystemLines implements LineMapping {
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
