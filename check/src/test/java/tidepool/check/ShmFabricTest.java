package tidepool.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import tidepool.fabric.direct.Durability;
import tidepool.fabric.shm.ShmFabric;
import tidepool.fabric.shm.ShmOptions;

class ShmFabricTest extends FabricContract {
    @TempDir
    Path folder;

    @Override
    public FabricWorld open(int nodes, boolean handlers) {
        try {
            Path pool = Files.createTempDirectory(folder, "world-").resolve("pool");
            ShmOptions options = new ShmOptions(nodes, Durability.NONE, handlers, ShmOptions.Mode.CREATE, 2_000);
            return new ThreadWorld(ShmFabric.open(pool, options));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
