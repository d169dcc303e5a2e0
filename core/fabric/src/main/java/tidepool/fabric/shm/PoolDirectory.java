package tidepool.fabric.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import tidepool.fabric.FabricException;
import tidepool.memory.NodeLayout;

/** A complete pool on disk, of this format: its superblock and the names of its files. */
final class PoolDirectory {
    private final Path path;
    private final Superblock superblock;
    private final Object fileKey;
    private boolean isNew;

    private PoolDirectory(Path path, Superblock superblock, Object fileKey) {
        this.path = path;
        this.superblock = superblock;
        this.fileKey = fileKey;
    }

    /** Finds or creates the pool, as the options say. Throws with a sentence if it cannot; then nothing was changed. */
    static PoolDirectory open(Path given, ShmOptions options) {
        Path path = given.toAbsolutePath().normalize();
        if (path.getFileName() == null) throw FabricException.unavailable("not a place for a pool: " + path);
        boolean created = false;
        switch (options.mode()) {
            case ATTACH -> {
                if (!isThere(path))
                    throw FabricException.unavailable("there is no pool to attach to: nothing exists at " + path);
            }
            case CREATE -> {
                if (!new ShmPoolCreation(path, options).create())
                    throw FabricException.unavailable(
                            "a pool cannot be created where something exists already: " + path);
                created = true;
            }
            case AUTO -> {
                if (!isThere(path)) created = new ShmPoolCreation(path, options).create();
            }
        }
        PoolDirectory pool = attach(path);
        pool.refuseOther(options);
        pool.isNew = created;
        return pool;
    }

    /**
     * Refuses a directory of another user, who could have put anything there and could change it at any time. In
     * /dev/shm any user may be the first to create a directory of some name.
     *
     * @param mine a file that belongs to the user of this process
     */
    static void refuseForeign(Path path, Path mine) {
        try {
            UserPrincipal owner = Files.getOwner(path);
            if (!owner.equals(Files.getOwner(mine)))
                throw FabricException.unavailable("the pool belongs to another user, " + owner.getName()
                        + ", who could change it at will: open it as that user, or choose another place: " + path);
        } catch (IOException e) {
            throw FabricException.unavailable("the pool cannot be read (" + PoolFiles.cause(e) + "): " + path, e);
        }
    }

    static boolean isThere(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns whether this object has created the pool. */
    boolean isNew() {
        return isNew;
    }

    /** Returns whether the pool's path still names this pool. */
    boolean isStillThere() {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class)
                    .fileKey()
                    .equals(fileKey);
        } catch (IOException e) {
            return false;
        }
    }

    Path path() {
        return path;
    }

    Superblock superblock() {
        return superblock;
    }

    /** Returns device and inode: equal for all names of one directory. */
    Object fileKey() {
        return fileKey;
    }

    static Path superblockFile(Path pool) {
        return pool.resolve("pool");
    }

    static Path node(Path pool, int node) {
        return pool.resolve("node-" + node);
    }

    static Path meta(Path pool, int node) {
        return node(pool, node).resolve("meta");
    }

    static Path sessions(Path pool) {
        return pool.resolve("sessions");
    }

    private static PoolDirectory attach(Path path) {
        if (!Files.isRegularFile(superblockFile(path)))
            throw FabricException.unavailable("not a Tidepool pool, and left as it is: " + path);
        refuseForeign(path, Path.of("/proc/self"));
        try {
            Superblock superblock = PoolFiles.uninterrupted(() -> readSuperblock(path));
            for (int node = 0; node < superblock.nodes(); node++) {
                Path meta = meta(path, node);
                long bytes = Files.isRegularFile(meta) ? Files.size(meta) : -1;
                if (bytes != NodeLayout.BYTES)
                    throw FabricException.unavailable(
                            bytes < 0
                                    ? "a file of the pool is missing: " + meta
                                    : "a file of the pool was cut or is another: bytes=" + bytes + " expected="
                                            + NodeLayout.BYTES + ": " + meta);
            }
            if (!Files.isDirectory(sessions(path)))
                throw FabricException.unavailable("a directory of the pool is missing: " + sessions(path));
            return new PoolDirectory(
                    path,
                    superblock,
                    Files.readAttributes(path, BasicFileAttributes.class).fileKey());
        } catch (IOException e) {
            throw FabricException.unavailable("the pool cannot be read (" + PoolFiles.cause(e) + "): " + path, e);
        }
    }

    private static Superblock readSuperblock(Path path) throws IOException {
        Path file = superblockFile(path);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            if (channel.size() != PoolLayout.BYTES)
                throw FabricException.unavailable("the pool's superblock was cut or is another: bytes=" + channel.size()
                        + " expected=" + PoolLayout.BYTES + ": " + file);
            MemorySegment block = arena.allocate(PoolLayout.BYTES, Long.BYTES);
            ByteBuffer target = block.asByteBuffer();
            while (target.hasRemaining() && channel.read(target) >= 0) {}
            return Superblock.read(block, file.toString());
        }
    }

    private void refuseOther(ShmOptions options) {
        if (options.nodes() != null && options.nodes() != superblock.nodes())
            throw other("nodes", options.nodes(), superblock.nodes());
        if (options.flushMode() != null && options.flushMode() != superblock.flushMode())
            throw other("durability", options.flushMode(), superblock.flushMode());
        if (options.handlers() != null && options.handlers() != superblock.handlers())
            throw other("handlers", options.handlers() ? "on" : "off", superblock.handlers() ? "on" : "off");
    }

    private FabricException other(String what, Object asked, Object found) {
        return FabricException.unavailable("the pool was created otherwise: " + what + "=" + lower(found)
                + ", asked for " + what + "=" + lower(asked) + ": " + path);
    }

    private static String lower(Object value) {
        return value.toString().toLowerCase(java.util.Locale.ROOT);
    }
}
