package tidepool.base;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files and folders that only their owner may open, whatever the umask is. */
public final class OwnerOnly {
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<?> AS_FOLDER = PosixFilePermissions.asFileAttribute(FOLDER);
    private static final FileAttribute<?> AS_FILE = PosixFilePermissions.asFileAttribute(FILE);

    private OwnerOnly() {}

    /** Creates a folder and its missing parents. An existing folder keeps its permissions. */
    public static Path folders(Path path) throws IOException {
        return Files.createDirectories(path, AS_FOLDER);
    }

    /** Creates a folder if it is missing. Takes the permissions of other users from an existing one. */
    public static Path folder(Path path) throws IOException {
        folders(path);
        if (!Files.getPosixFilePermissions(path).equals(FOLDER)) Files.setPosixFilePermissions(path, FOLDER);
        return path;
    }

    /** Opens a file, which the options may create. Takes the permissions of other users from an existing one. */
    public static FileChannel file(Path path, Set<? extends OpenOption> options) throws IOException {
        FileChannel channel = FileChannel.open(path, options, AS_FILE);
        boolean closed = false;
        try {
            if (!Files.getPosixFilePermissions(path).equals(FILE)) Files.setPosixFilePermissions(path, FILE);
            closed = true;
            return channel;
        } finally {
            if (!closed) channel.close();
        }
    }
}
