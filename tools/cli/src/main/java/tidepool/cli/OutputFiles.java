package tidepool.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** Checks before a long run that its results can be written afterwards. */
final class OutputFiles {
    private OutputFiles() {}

    /** Throws a {@link UserError} if the file cannot be written. */
    static void require(Path file, String what) {
        if (file == null) return;
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || Files.isDirectory(file))
            throw new UserError("the " + what + " is to be a file, not a folder: " + file);
        if (!Files.isDirectory(folder)) throw new UserError("no such folder for the " + what + ": " + folder);
        if (!Files.isWritable(folder))
            throw new UserError("the folder for the " + what + " cannot be written: " + folder);
        if (Files.exists(file) && !Files.isWritable(file))
            throw new UserError("the " + what + " cannot be written: " + file);
    }
}
