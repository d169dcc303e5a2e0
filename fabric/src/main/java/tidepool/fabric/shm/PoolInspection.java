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
 * Looks at a pool from outside. It opens no session and creates nothing; files are mapped for reading only, and the lock
 * files are asked in the way in which every process asks whether another one lives: by a shared lock that is given back at
 * once, and never on a file that this process holds itself (see {@link SessionLocks}).
 *
 * <p>The arena of the mappings closes with it.
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

    /** Looks at what is there, whatever it is. */
    public static PoolInspection of(Path path) {
        return new PoolInspection(path.toAbsolutePath().normalize());
    }

    public Path path() {
        return path;
    }

    /** What is wrong with the pool as a whole, in a sentence; null if nothing is. */
    public String fault() {
        return fault;
    }

    /** What is wrong with a superblock by itself, in a sentence; null if nothing is. */
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

    /** The file with the superblock. */
    public Path superblockFile() {
        return PoolDirectory.superblockFile(path);
    }

    /** What the options of a sound superblock mean; null if it is not sound. */
    public String options() {
        if (superblock == null) return null;
        long place = superblock.place();
        return "durability=" + superblock.durability().name().toLowerCase(Locale.ROOT) + " handlers="
                + (superblock.handlers() ? "on" : "off")
                + (superblock.isServed() ? " served as node " + (int) place + " of " + (place >>> 32) : "");
    }

    /** As many as the superblock says, or as there are folders of nodes where it is not sound. */
    public int nodes() {
        if (superblock != null) return superblock.nodes();
        int found = 0;
        while (found < PoolLayout.MOST_NODES && Files.isDirectory(PoolDirectory.node(path, found))) found++;
        return found;
    }

    public Path meta(int node) {
        return PoolDirectory.meta(path, node);
    }

    public Path region(int node, int region) {
        return PoolDirectory.node(path, node).resolve("region-" + region);
    }

    /** A whole file, to be read only; null if it is not there or empty. */
    public MemorySegment map(Path file) throws IOException {
        if (!Files.isRegularFile(file)) return null;
        return FileWork.uninterrupted(() -> {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                return channel.size() == 0 ? null : channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
            }
        });
    }

    public Life life(int session) {
        // Sessions of a pool that is served live as long as the server hears them.
        if (locks == null || superblock.isServed()) return Life.UNKNOWN;
        try {
            return locks.isDead(session) ? Life.DEAD : Life.ALIVE;
        } catch (FabricException e) {
            return Life.UNKNOWN; // we may not read the file
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
