package tidepool.dist;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of the distribution.
 *
 * @param path in the distribution, such as {@code lib/tidepool.jar}
 * @param source the file that has the contents, or null
 * @param text the contents, if there is no source
 * @param mode the permissions, as {@code chmod} takes them
 */
record DistFile(String path, Path source, String text, int mode) {
    byte[] bytes() throws IOException {
        return source == null ? text.getBytes(StandardCharsets.UTF_8) : Files.readAllBytes(source);
    }
}
