package tidepool.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Writes files with a given mode, independent of the umask of the process. */
public final class PrivateFiles {
    private PrivateFiles() {}

    /** Writes a file that only its owner may open. */
    public static Path write(Path file, String text) {
        return write(file, text, "rw-------");
    }

    public static Path write(Path file, String text, String mode) {
        try {
            Files.writeString(file, text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
