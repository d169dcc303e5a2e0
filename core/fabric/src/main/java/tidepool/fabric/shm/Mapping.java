package tidepool.fabric.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import jdk.nio.mapmode.ExtendedMapMode;
import tidepool.fabric.FabricException;
import tidepool.fabric.direct.FlushMode;

/** The mapping of a file of the pool. It lives as long as its arena; the file need not stay open for it. */
final class Mapping {
    private Mapping() {}

    static MemorySegment map(Path file, long bytes, FlushMode flushMode, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            // An access beyond the end of the file would cause a SIGBUS.
            if (channel.size() != bytes)
                throw FabricException.unavailable("a file of the pool was cut or is another: bytes=" + channel.size()
                        + " expected=" + bytes + ": " + file);
            return flushMode == FlushMode.SYNC
                    ? mapSync(channel, file, bytes, arena)
                    : channel.map(MapMode.READ_WRITE, 0, bytes, arena);
        } catch (OutOfMemoryError e) {
            throw FabricException.unavailable(
                    "a file of the pool cannot be mapped: no address space or too many mappings: bytes=" + bytes + ": "
                            + file,
                    e);
        }
    }

    /**
     * Maps with MAP_SYNC: the file system promises that a cache line written back is persistent, its metadata included.
     */
    private static MemorySegment mapSync(FileChannel channel, Path file, long bytes, Arena arena) {
        try {
            return channel.map(ExtendedMapMode.READ_WRITE_SYNC, 0, bytes, arena);
        } catch (IOException | UnsupportedOperationException e) {
            throw FabricException.unavailable(
                    "durability=sync needs persistent memory under a file system mounted with dax ("
                            + PoolFiles.cause(e) + "); durability=force works anywhere: " + file,
                    e);
        }
    }
}
