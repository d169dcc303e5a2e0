package tidepool.node;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import tidepool.base.OwnerOnly;
import tidepool.fabric.FabricException;

/**
 * The lock that allows one node per directory: a kernel lock on {@code node.lock} in it. The kernel releases it when
 * the process dies. The kernel also releases it when the process closes any descriptor of the file. Therefore a second
 * node of this process is refused before the file is opened.
 */
final class DirectoryLock implements AutoCloseable {
    private static final Set<Path> HERE = new HashSet<>(); // guards itself

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /** Locks the directory and makes it if it is missing. Throws if another node serves it. */
    static DirectoryLock take(Path given) {
        try {
            OwnerOnly.folders(given);
            Path directory = given.toRealPath();
            synchronized (HERE) {
                if (!HERE.add(directory)) throw taken(directory);
                FileChannel channel = null;
                boolean held = false;
                try {
                    channel = OwnerOnly.file(
                            directory.resolve("node.lock"),
                            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE));
                    held = channel.tryLock() != null;
                    if (!held) throw taken(directory);
                    return new DirectoryLock(directory, channel);
                } catch (OverlappingFileLockException e) {
                    throw taken(directory);
                } finally {
                    if (!held) {
                        HERE.remove(directory);
                        if (channel != null) channel.close();
                    }
                }
            }
        } catch (IOException e) {
            throw FabricException.unavailable("the node cannot use its directory (" + e + "): " + given, e);
        }
    }

    private static FabricException taken(Path directory) {
        return FabricException.unavailable("another node serves this directory: " + directory);
    }

    Path directory() {
        return directory;
    }

    @Override
    public void close() {
        synchronized (HERE) {
            HERE.remove(directory);
            try {
                channel.close();
            } catch (IOException e) {
                // The kernel releases the lock at the latest when the process ends.
            }
        }
    }
}
