package tidepool.fabric.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.fabric.direct.FlushMode;
import tidepool.memory.NodeLayout;
import tidepool.memory.RegionStore;

/**
 * The memory of one node in mapped files. The owner has the arena. Closing it ends every mapping made here, also those
 * of regions freed meanwhile, since a lane may still be reading them. An owner that knows when no verb can access a
 * freed region gets its mapping, to end it then.
 */
final class MappedStore implements RegionStore {
    private final Path directory;
    private final FlushMode flushMode;
    private final Arena arena;
    private final MemorySegment meta;
    private final Consumer<Arena> freed;
    private final Map<Integer, MemorySegment> mapped = new HashMap<>(); // guarded by this
    private final Map<Integer, Arena> arenas = new HashMap<>(); // guarded by this

    /**
     * @param freed gets the mapping of each freed region; null if all stay until the arena is closed
     */
    MappedStore(PoolDirectory pool, int node, Arena arena, Consumer<Arena> freed) {
        this.directory = PoolDirectory.node(pool.path(), node);
        this.flushMode = pool.superblock().flushMode();
        this.arena = arena;
        this.freed = freed;
        this.meta = map(PoolDirectory.meta(pool.path(), node), NodeLayout.BYTES, arena);
    }

    @Override
    public MemorySegment meta() {
        return meta;
    }

    /** Refuses a pool if the file of a live region is missing or cut. */
    void verify() {
        long count = Words.acquire(meta, NodeLayout.REGION_COUNT);
        if (count < 0 || count > NodeLayout.REGIONS)
            throw FabricException.unavailable(
                    "the node's region table is damaged: regions=" + count + ": " + directory);
        for (int region = 0; region < count; region++) {
            if (!isLive(region)) continue;
            long expected = Words.plain(meta, NodeLayout.region(region) + NodeLayout.REGION_BYTES);
            long found = bytes(file(region));
            // Another process may free it between the two checks.
            if (found == expected || !isLive(region)) continue;
            throw FabricException.unavailable(
                    found < 0
                            ? "a file of the pool is missing: " + file(region)
                            : "a file of the pool was cut or is another: bytes=" + found + " expected=" + expected
                                    + ": " + file(region));
        }
    }

    /**
     * Removes files of freed regions that a killed process did not remove. Once all entries were used, they are reused.
     * Then another process may be making the file of such a region, so nothing is removed here; that process replaces
     * an old file.
     */
    void sweep() {
        int count = (int) Words.acquire(meta, NodeLayout.REGION_COUNT);
        if (count == NodeLayout.REGIONS) return;
        for (int region = 0; region < count; region++) if (!isLive(region)) delete(region);
    }

    /**
     * Filling may take seconds, so it is done under the node's control lock alone: other threads open regions
     * meanwhile.
     */
    @Override
    public MemorySegment create(int number, long bytes) {
        Path file = file(number);
        try {
            Files.deleteIfExists(file); // left by a process that was killed before the region existed
            FileStore disk = Files.getFileStore(directory);
            if (disk.getUsableSpace() < bytes)
                throw noSpace(file, bytes, "it has " + disk.getUsableSpace() + " bytes left");
            PoolFiles.uninterrupted(() -> {
                PoolFiles.createZeroed(file, bytes, flushMode != FlushMode.NONE);
                return null;
            });
            if (flushMode != FlushMode.NONE) PoolFiles.forceDirectory(directory);
        } catch (IOException e) {
            throw noSpace(file, bytes, PoolFiles.cause(e));
        }
        return remember(number, file, bytes);
    }

    /** If other processes free regions too, a mapping of this number may be that of an earlier region. */
    @Override
    public synchronized MemorySegment open(int number, long bytes) {
        MemorySegment known = freed == null ? null : mapped.get(number);
        return known != null ? known : remember(number, file(number), bytes);
    }

    @Override
    public void delete(int number) {
        forget(number);
        try {
            Files.deleteIfExists(file(number));
        } catch (IOException e) {
            throw FabricException.unavailable(
                    "the file of a freed region cannot be removed (" + PoolFiles.cause(e) + "): " + file(number), e);
        }
    }

    private synchronized void forget(int number) {
        mapped.remove(number);
        Arena own = arenas.remove(number);
        if (own != null) freed.accept(own);
    }

    /** Ends the mappings of all regions that have an arena of their own. */
    synchronized void close() {
        for (Arena own : arenas.values()) own.close();
        arenas.clear();
        mapped.clear();
    }

    private synchronized MemorySegment remember(int number, Path file, long bytes) {
        Arena own = freed == null ? arena : Arena.ofShared();
        boolean done = false;
        try {
            MemorySegment region = map(file, bytes, own);
            mapped.put(number, region);
            if (own != arena) arenas.put(number, own);
            done = true;
            return region;
        } finally {
            if (!done && own != arena) own.close();
        }
    }

    private MemorySegment map(Path file, long bytes, Arena of) {
        try {
            return PoolFiles.uninterrupted(() -> Mapping.map(file, bytes, flushMode, of));
        } catch (IOException e) {
            throw FabricException.unavailable(
                    "a file of the pool cannot be opened (" + PoolFiles.cause(e) + "): " + file, e);
        }
    }

    private boolean isLive(int region) {
        return NodeLayout.isLive(Words.acquire(meta, NodeLayout.region(region) + NodeLayout.REGION_STATE));
    }

    private Path file(int region) {
        return directory.resolve("region-" + region);
    }

    private static long bytes(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : -1;
        } catch (IOException e) {
            return -1;
        }
    }

    private static FabricException noSpace(Path file, long bytes, String why) {
        return FabricException.unavailable(
                "not enough space for a region, or no way to write it (" + why + "): needed=" + bytes + ": " + file);
    }
}
