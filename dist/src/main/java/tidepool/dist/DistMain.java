package tidepool.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import tidepool.cli.ShippedTexts;

/**
 * Writes the distribution of a checkout whose module {@code cli} is built, and prints the path of the archive.
 * Arguments: the checkout, and the folder of the archive.
 */
public final class DistMain {
    /** The time of all entries; {@code project.build.outputTimestamp} is the time of the entries of jars. */
    static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

    private DistMain() {}

    public static void main(String[] arguments) throws IOException {
        System.out.println(write(Path.of(arguments[0]), Path.of(arguments[1])));
    }

    /** Returns the path of the archive. All its entries are below one folder with the name of the archive. */
    static Path write(Path checkout, Path folder) throws IOException {
        String name = "tidepool-" + ShippedTexts.version();
        Path archive = Files.createDirectories(folder).resolve(name + ".tar.gz");
        try (TarGzWriter tar = new TarGzWriter(Files.newOutputStream(archive), TIME)) {
            for (DistFile file : DistContents.of(checkout))
                tar.add(name + "/" + file.path(), file.bytes(), file.mode());
        }
        return archive;
    }
}
