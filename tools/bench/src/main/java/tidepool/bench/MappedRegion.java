package tidepool.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import tidepool.base.Words;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.Region;
import tidepool.memory.RegionLayout;

/** The memory of a region without its fabric, for the handwritten loops. */
final class MappedRegion {
    private MappedRegion() {}

    /** Returns the region's own file for {@code shm}; memory of equal size of this process for {@code mem}. */
    static MemorySegment of(String url, Region region, Arena arena) {
        FabricUrl parsed = FabricUrl.parse(url);
        if (!parsed.scheme().equals("shm")) return arena.allocate(region.bytes(), 4096);
        Path file = Path.of(parsed.target(), "node-" + region.link().node(), "region-" + region.number());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment whole = channel.map(MapMode.READ_WRITE, 0, channel.size(), arena);
            return whole.asSlice(Words.plain(whole, RegionLayout.DATA));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
