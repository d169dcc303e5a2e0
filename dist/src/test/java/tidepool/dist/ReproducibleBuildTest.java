package tidepool.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.testkit.ChildProcess;
import tidepool.testkit.SourceTree;

/** One commit gives the same archive in every folder: two clones are built from nothing. */
@Tag("night")
@Tag("process")
class ReproducibleBuildTest {
    private static final Duration LIMIT = Duration.ofMinutes(60);

    @TempDir
    Path folder;

    @Test
    void twoClonesMakeTheSameBytes() throws IOException {
        Path one = build("one");
        Path other = build("another/place");
        assertEquals(-1, Files.mismatch(one, other), one + " and " + other + " differ");
    }

    private Path build(String name) throws IOException {
        Path clone = folder.resolve(name);
        run(
                folder,
                "git",
                "clone",
                "--quiet",
                "--no-hardlinks",
                SourceTree.root().toString(),
                clone.toString());
        run(clone, "./tidepool", "dist");
        try (var files = Files.list(clone.resolve("dist/target"))) {
            List<Path> archives =
                    files.filter(file -> file.toString().endsWith(".tar.gz")).toList();
            assertEquals(1, archives.size(), archives.toString());
            assertTrue(Files.size(archives.getFirst()) > 1_000_000, "an archive with libraries");
            return archives.getFirst();
        }
    }

    private static void run(Path folder, String... command) {
        try (ChildProcess child = ChildProcess.program(command)
                .in(folder)
                .merged()
                .deadline(LIMIT)
                .start()) {
            String said = child.rest();
            assertEquals(0, child.exitCode(), said);
        }
    }
}
