package tidepool.contracts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import tidepool.fabric.Fabric;
import tidepool.fabric.direct.FlushMode;
import tidepool.fabric.shm.ShmFabric;
import tidepool.fabric.shm.ShmOptions;

/** Threads of one process on mapped files; tests with several processes stand in the module of the fabric. */
class ShmFabricTest extends FabricContract {
    @Override
    public FabricWorld open(int nodes, boolean handlers) {
        Path folder = newFolder();
        return new ThreadWorld(pool(folder, nodes, handlers)) {
            @Override
            public void close() {
                super.close();
                delete(folder);
            }
        };
    }

    /** How the pool in this folder is opened. */
    Fabric pool(Path folder, int nodes, boolean handlers) {
        return ShmFabric.open(folder.resolve("pool"), options(nodes, handlers, ShmOptions.Mode.CREATE));
    }

    static ShmOptions options(int nodes, boolean handlers, ShmOptions.Mode mode) {
        return new ShmOptions(nodes, FlushMode.NONE, handlers, mode, 2_000);
    }

    private static Path newFolder() {
        try {
            Path memory = Path.of("/dev/shm");
            return Files.isWritable(memory)
                    ? Files.createTempDirectory(memory, "tidepool-contract-")
                    : Files.createTempDirectory("tidepool-contract-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
