package tidepool.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A tmpfs with a given size and number of files, so that a file system is full at a chosen point. Needs root. */
public final class SmallTmpfs implements AutoCloseable {
    private final Path at;

    private SmallTmpfs(Path at) {
        this.at = at;
    }

    /**
     * Mounts a tmpfs on an empty folder; returns null if this process may not mount.
     *
     * @param options of mount, such as {@code size=1m,nr_inodes=20}
     */
    public static SmallTmpfs mount(Path at, String options) throws IOException {
        Files.createDirectories(at);
        try (ChildProcess mount = ChildProcess.program(
                        "mount", "-t", "tmpfs", "-o", "mode=0700," + options, "none", at.toString())
                .start()) {
            return mount.exitCode() == 0 ? new SmallTmpfs(at) : null;
        }
    }

    /** Returns the folder where it is mounted. */
    public Path path() {
        return at;
    }

    @Override
    public void close() {
        try (ChildProcess umount =
                ChildProcess.program("umount", "--lazy", at.toString()).start()) {
            if (umount.exitCode() != 0) throw new AssertionError("not unmounted: " + at + ": " + umount.errors());
        }
    }
}
