package tidepool.cli.shell;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The file of typed lines. They may hold secrets, so only the owner may read the file. */
final class HistoryFile {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private HistoryFile() {}

    /** Returns {@code ~/.tidepool_history}. */
    static Path usual() {
        String home = System.getenv("HOME");
        return Path.of(home == null || home.isEmpty() ? System.getProperty("user.home") : home, ".tidepool_history");
    }

    /** Creates the file if there is none, and restricts it to its owner. Returns false if the file cannot be used. */
    static boolean prepare(Path file) {
        try {
            try {
                Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            } catch (FileAlreadyExistsException e) {
                if (!Files.getPosixFilePermissions(file).equals(OWNER_ONLY))
                    Files.setPosixFilePermissions(file, OWNER_ONLY);
            }
            return Files.isRegularFile(file) && Files.isReadable(file) && Files.isWritable(file);
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
