package tidepool.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server is found, or missed in a sentence, and never left behind. */
class RedisServerTest {
    @TempDir
    Path folder;

    private Path program(String lines) throws Exception {
        Path program = Files.createFile(
                folder.resolve("redis-server"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(program, "#!/bin/sh\n" + lines + "\n");
        return program;
    }

    @Test
    void theFirstOneOnThePathIsTaken() throws Exception {
        String path = folder.resolve("nothing") + File.pathSeparator + folder;
        assertEquals(Optional.empty(), RedisServer.find(path));
        Path program = program("exit 0");
        assertEquals(Optional.of(program), RedisServer.find(path));
        assertEquals(Optional.empty(), RedisServer.find(""));
    }

    /** Whoever has a broken Redis is told what it said, and does not wait. */
    @Test
    void aServerThatEndsAtOnceIsQuoted() throws Exception {
        Path program = program("echo out of order");
        var failed = assertThrows(IllegalStateException.class, () -> RedisServer.start(program, folder));
        assertEquals("redis-server did not start: out of order", failed.getMessage());
    }

    /** Nobody listens any more after close: a server left behind would disturb whoever is measured next. */
    @Test
    void itEndsWithItsObject() {
        assumeTrue(RedisServer.find().isPresent(), RedisServer::notFound);
        RedisServer server = RedisServer.start(folder);
        assertTrue(server.settings().startsWith("Redis "), server.settings());
        assertTrue(server.isAlive());
        server.close();
        assertFalse(server.isAlive());
        assertThrows(UncheckedIOException.class, server::connect);
    }

    @Test
    void theNameSaysHowManyAreUnderWay() {
        assertEquals(1, RedisServer.outstanding("redis"));
        assertEquals(64, RedisServer.outstanding("redis-64"));
        for (String name : new String[] {"redis-0", "redis-", "redis-many", "redis16"}) {
            var refused = assertThrows(IllegalArgumentException.class, () -> RedisServer.outstanding(name));
            assertEquals(
                    "'" + name + "' is not redis, nor redis-N with 1 to 9999 under way at once", refused.getMessage());
        }
    }
}
