package tidepool.fabric.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Pattern;
import tidepool.base.Id128;
import tidepool.base.Ids;
import tidepool.fabric.FabricException;
import tidepool.fabric.direct.FlushMode;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeLayout;

/**
 * The creation of a pool. It is built next to its place and published by one rename, so that other processes see
 * nothing or a complete pool.
 *
 * <pre>
 *   step                                                        a crash right after it leaves
 *   lock     PATH.lock                                          an empty file that stays anyway
 *   sweep    remove every PATH.new-…                            nothing
 *   build    PATH.new-…: nodes, sessions, superblock            debris, for the next creator's sweep
 *   publish  rename PATH.new-… to PATH                          the pool
 * </pre>
 *
 * A failure removes the files that were built. A pool without content is withdrawn in the opposite order: it is renamed
 * to PATH.new-…, then removed.
 */
final class ShmPoolCreation {
    private final Path path;
    private final Superblock superblock;
    private final Steps steps;

    /** Called before each file or directory is made, and before the pool is published; tests fail there. */
    @FunctionalInterface
    interface Steps {
        void before(Path made) throws IOException;
    }

    ShmPoolCreation(Path path, Superblock superblock, Steps steps) {
        this.path = path;
        this.superblock = superblock;
        this.steps = steps;
    }

    ShmPoolCreation(Path path, Superblock superblock) {
        this(path, superblock, _ -> {});
    }

    ShmPoolCreation(Path path, ShmOptions options) {
        this(
                path,
                new Superblock(
                        options.nodes() == null ? ShmOptions.DEFAULT_NODES : options.nodes(),
                        Ids.secure().next(),
                        options.flushMode() == null ? FlushMode.NONE : options.flushMode(),
                        options.handlers() == null || options.handlers(),
                        0));
    }

    /** Creates the pool. Returns false if something exists there, or another process was faster. */
    boolean create() {
        Path parent = path.getParent();
        if (!Files.isDirectory(parent))
            throw FabricException.unavailable("a pool cannot be created here: "
                    + (Files.exists(parent) ? "not a directory: " : "no such directory: ") + parent);
        try {
            return PoolFiles.uninterrupted(this::createLocked);
        } catch (IOException e) {
            throw FabricException.unavailable("the pool cannot be created (" + PoolFiles.cause(e) + "): " + path, e);
        }
    }

    private boolean createLocked() throws IOException {
        try (CreationLock lock = CreationLock.acquire(path, () -> PoolDirectory.isThere(path))) {
            if (lock == null || PoolDirectory.isThere(path)) return false;
            sweep();
            Path building = unpublished(path);
            boolean published = false;
            try {
                build(building);
                steps.before(path);
                Files.move(building, path, StandardCopyOption.ATOMIC_MOVE);
                published = true;
                // ---- the pool exists from here on ----
            } finally {
                if (!published) remove(building);
            }
            if (isDurable()) PoolFiles.forceDirectory(path.getParent());
            return true;
        }
    }

    private static Path unpublished(Path path) {
        Id128 random = Ids.secure().next();
        return path.resolveSibling(path.getFileName() + String.format(".new-%016x", random.high()));
    }

    /**
     * Removes an empty pool, unless a living process has it open. The caller has given up its own sessions. Returns
     * whether the pool is gone.
     */
    static boolean withdraw(PoolDirectory pool, SessionLocks locks) throws IOException {
        return PoolFiles.uninterrupted(() -> withdrawLocked(pool, locks));
    }

    private static boolean withdrawLocked(PoolDirectory pool, SessionLocks locks) throws IOException {
        Path path = pool.path();
        try (CreationLock lock = CreationLock.acquire(path, () -> !pool.isStillThere())) {
            if (lock == null || !pool.isStillThere()) return true;
            for (int session : locks.all()) locks.sweep(session);
            if (!isEmpty(PoolDirectory.sessions(path))) return false;
            Path away = unpublished(path);
            Files.move(path, away, StandardCopyOption.ATOMIC_MOVE);
            // ---- no process finds the pool from here on ----
            // A process that had found it may have marked a session alive just before. It needs its files.
            if (!isEmpty(PoolDirectory.sessions(away))) {
                Files.move(away, path, StandardCopyOption.ATOMIC_MOVE);
                return false;
            }
            remove(away);
            return true;
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            return !entries.iterator().hasNext();
        }
    }

    private void sweep() throws IOException {
        Pattern debris = Pattern.compile(Pattern.quote(path.getFileName().toString()) + "\\.new-[0-9a-f]{16}");
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(
                path.getParent(),
                entry -> debris.matcher(entry.getFileName().toString()).matches())) {
            for (Path left : siblings) remove(left);
        }
    }

    private void build(Path building) throws IOException {
        steps.before(building);
        Files.createDirectory(
                building, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        steps.before(PoolDirectory.sessions(building));
        Files.createDirectory(PoolDirectory.sessions(building));
        for (int node = 0; node < superblock.nodes(); node++) buildNode(building, node);
        steps.before(PoolDirectory.superblockFile(building));
        writeSuperblock(PoolDirectory.superblockFile(building));
        if (isDurable()) PoolFiles.forceDirectory(building);
    }

    private void buildNode(Path building, int node) throws IOException {
        steps.before(PoolDirectory.node(building, node));
        Path directory = Files.createDirectory(PoolDirectory.node(building, node));
        Path file = PoolDirectory.meta(building, node);
        steps.before(file);
        PoolFiles.createZeroed(file, NodeLayout.BYTES, false);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment meta = Mapping.map(file, NodeLayout.BYTES, superblock.flushMode(), arena);
            MemoryNode.format(meta, node);
            if (isDurable()) meta.force();
        }
        if (isDurable()) PoolFiles.forceDirectory(directory);
    }

    private void writeSuperblock(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                Arena arena = Arena.ofConfined()) {
            MemorySegment block = arena.allocate(PoolLayout.BYTES, Long.BYTES);
            superblock.write(block);
            ByteBuffer source = block.asByteBuffer();
            while (source.hasRemaining()) channel.write(source);
            if (isDurable()) channel.force(true);
        }
    }

    private boolean isDurable() {
        return superblock.flushMode() != FlushMode.NONE;
    }

    private static void remove(Path directory) throws IOException {
        if (!PoolDirectory.isThere(directory)) return;
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path left, IOException failure) throws IOException {
                if (failure != null) throw failure;
                Files.delete(left);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
