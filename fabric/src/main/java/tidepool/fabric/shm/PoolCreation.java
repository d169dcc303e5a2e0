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
import tidepool.fabric.direct.Durability;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeLayout;

/**
 * Makes a pool beside its place and publishes it by one rename, so that others see nothing or a whole pool.
 *
 * <pre>
 *   step                                                        a crash right after it leaves
 *   lock     PATH.lock                                          an empty file that stays anyway
 *   sweep    remove every PATH.new-…                            nothing
 *   build    PATH.new-…: nodes, sessions, superblock            debris, for the next creator's sweep
 *   publish  rename PATH.new-… to PATH                          the pool
 * </pre>
 */
final class PoolCreation {
    private final Path path;
    private final Superblock superblock;

    PoolCreation(Path path, Superblock superblock) {
        this.path = path;
        this.superblock = superblock;
    }

    PoolCreation(Path path, ShmOptions options) {
        this(
                path,
                new Superblock(
                        options.nodes() == null ? ShmOptions.DEFAULT_NODES : options.nodes(),
                        Ids.secure().next(),
                        options.durability() == null ? Durability.NONE : options.durability(),
                        options.handlers() == null || options.handlers(),
                        0));
    }

    /** Creates the pool; false if something was there already, or somebody else was faster. */
    boolean create() {
        Path parent = path.getParent();
        if (!Files.isDirectory(parent))
            throw FabricException.unavailable("a pool cannot be created here: "
                    + (Files.exists(parent) ? "not a directory: " : "no such directory: ") + parent);
        try {
            return FileWork.uninterrupted(this::createLocked);
        } catch (IOException e) {
            throw FabricException.unavailable("the pool cannot be created (" + FileWork.cause(e) + "): " + path, e);
        }
    }

    private boolean createLocked() throws IOException {
        try (CreationLock lock = CreationLock.acquire(path, () -> PoolDirectory.isThere(path))) {
            if (lock == null || PoolDirectory.isThere(path)) return false;
            sweep();
            Id128 random = Ids.secure().next();
            Path building = path.resolveSibling(path.getFileName() + String.format(".new-%016x", random.high()));
            try {
                build(building);
                Files.move(building, path, StandardCopyOption.ATOMIC_MOVE);
                // ---- the pool exists from here on ----
            } catch (IOException | FabricException e) {
                remove(building);
                throw e;
            }
            if (isDurable()) FileWork.forceDirectory(path.getParent());
            return true;
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
        Files.createDirectory(
                building, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createDirectory(PoolDirectory.sessions(building));
        for (int node = 0; node < superblock.nodes(); node++) buildNode(building, node);
        writeSuperblock(PoolDirectory.superblockFile(building));
        if (isDurable()) FileWork.forceDirectory(building);
    }

    private void buildNode(Path building, int node) throws IOException {
        Path directory = Files.createDirectory(PoolDirectory.node(building, node));
        Path file = PoolDirectory.meta(building, node);
        FileWork.createZeroed(file, NodeLayout.BYTES, false);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment meta = Mapping.map(file, NodeLayout.BYTES, superblock.durability(), arena);
            MemoryNode.format(meta, node);
            if (isDurable()) meta.force();
        }
        if (isDurable()) FileWork.forceDirectory(directory);
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
        return superblock.durability() != Durability.NONE;
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
