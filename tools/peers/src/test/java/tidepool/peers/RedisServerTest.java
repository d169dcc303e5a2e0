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

/** The server is found, or its absence is reported in a sentence, and it never outlives its object. */
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

    /** The output of a broken Redis is reported at once. */
    @Test
    void aServerThatEndsAtOnceIsQuoted() throws Exception {
        Path program = program("echo out of order");
        var failed = assertThrows(IllegalStateException.class, () -> RedisServer.start(program, folder));
        assertEquals("redis-server did not start: out of order", failed.getMessage());
    }

    /** No server listens after close: otherwise it would disturb the next measurement. */
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
