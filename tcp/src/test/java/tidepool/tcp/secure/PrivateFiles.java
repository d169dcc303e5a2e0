package tidepool.tcp.secure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Writes files of a given mode, whatever the mask of the process is. */
public final class PrivateFiles {
    private PrivateFiles() {}

    /** Only the owner may open it. */
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
