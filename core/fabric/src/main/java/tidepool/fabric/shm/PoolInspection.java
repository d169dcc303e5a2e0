package tidepool.fabric.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import tidepool.fabric.FabricException;

/**
 * An inspection of a pool from outside. It opens no session and creates nothing. Files are mapped for reading only. It
 * probes a lock file as every process does to see whether another one lives: by a shared lock that is released at once,
 * and never on a file that this process holds itself (see {@link SessionLocks}).
 *
 * <p>Closing it closes the arena of the mappings.
 */
public final class PoolInspection implements AutoCloseable {
    /** Whether the process of a session lives. */
    public enum Life {
        ALIVE,
        DEAD,
        UNKNOWN
    }

    private final Path path;
    private final Arena arena = Arena.ofShared();
    private final String fault;
    private final Superblock superblock;
    private final SessionLocks locks;

    private PoolInspection(Path path) {
        this.path = path;
        PoolDirectory pool = null;
        String wrong = null;
        try {
            ShmOptions attach = new ShmOptions(null, null, null, ShmOptions.Mode.ATTACH, 0);
            pool = PoolDirectory.open(path, attach);
        } catch (FabricException e) {
            wrong = e.getMessage();
        }
        this.fault = wrong;
        this.superblock = pool == null ? null : pool.superblock();
        this.locks = pool == null ? null : new SessionLocks(pool);
    }

    /** Inspects the path, whatever lies there. */
    public static PoolInspection of(Path path) {
        return new PoolInspection(path.toAbsolutePath().normalize());
    }

    public Path path() {
        return path;
    }

    /** Returns the fault of the pool as a whole as a sentence, or null. */
    public String fault() {
        return fault;
    }

    /** Returns the fault of a superblock by itself as a sentence, or null. */
    public static String faultOfSuperblock(MemorySegment block, Path file) {
        if (block.byteSize() != PoolLayout.BYTES)
            return "the pool's superblock was cut or is another: bytes=" + block.byteSize() + " expected="
                    + PoolLayout.BYTES + ": " + file;
        try {
            Superblock.read(block, file.toString());
            return null;
        } catch (FabricException e) {
            return e.getMessage();
        }
    }

    /** Returns the file with the superblock. */
    public Path superblockFile() {
        return PoolDirectory.superblockFile(path);
    }

    /** Returns the options of a sound superblock as text; null if it is not sound. */
    public String options() {
        if (superblock == null) return null;
        long place = superblock.place();
        return "durability=" + superblock.flushMode().name().toLowerCase(Locale.ROOT) + " handlers="
                + (superblock.handlers() ? "on" : "off")
                + (superblock.isServed() ? " served as node " + (int) place + " of " + (place >>> 32) : "");
    }

    /** Returns the number of nodes in the superblock; if it is not sound, the number of node directories. */
    public int nodes() {
        if (superblock != null) return superblock.nodes();
        int found = 0;
        while (found < PoolLayout.MAX_NODES && Files.isDirectory(PoolDirectory.node(path, found))) found++;
        return found;
    }

    public Path meta(int node) {
        return PoolDirectory.meta(path, node);
    }

    public Path region(int node, int region) {
        return PoolDirectory.node(path, node).resolve("region-" + region);
    }

    /** Maps a whole file for reading only; returns null if it is missing or empty. */
    public MemorySegment map(Path file) throws IOException {
        if (!Files.isRegularFile(file)) return null;
        return PoolFiles.uninterrupted(() -> {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                return channel.size() == 0 ? null : channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
            }
        });
    }

    public Life life(int session) {
        // Sessions of a served pool live as long as the server hears from them.
        if (locks == null || superblock.isServed()) return Life.UNKNOWN;
        try {
            return locks.isDead(session) ? Life.DEAD : Life.ALIVE;
        } catch (FabricException e) {
            return Life.UNKNOWN; // this process may not read the file
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
