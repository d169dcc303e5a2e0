package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Id128;
import tidepool.fabric.FabricException;
import tidepool.fabric.shm.PoolInspection;
import tidepool.fabric.shm.ShmFabric;
import tidepool.fabric.shm.ShmOptions;
import tidepool.wire.ControlCode;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;

/** A node with a directory: its pools survive it, no other node opens them, and a damaged pool is not served. */
class NodeDirectoryTest {
    @TempDir
    Path dir;

    private MemoryServer start() {
        return MemoryServer.start(
                NodeOptions.onLoopback("memory-0", 0, 16 << 20).withDir(dir.resolve("data")));
    }

    private String refusedToStart() {
        return assertThrows(FabricException.class, this::start).getMessage();
    }

    /** Returns the node's answer to a HELLO, after the challenge. */
    private static RawClient.Answer hello(MemoryServer server, String pool, int number, int nodes, Id128 id)
            throws IOException {
        try (RawClient raw = new RawClient(server.address())) {
            raw.send(RawClient.hello("test", pool, number, nodes, id));
            raw.read();
            raw.send(RawClient.frame(Frame.PROOF, 0, 0, 0, new byte[Frame.PROOF_BYTES]));
            return raw.read();
        }
    }

    @Test
    void whatWasWrittenIsThereAfterARestart() throws IOException {
        RawClient.Answer region;
        Id128 id;
        try (MemoryServer server = start();
                RawClient client = RawClient.attached(server, "bank", 1)) {
            RawClient.Answer welcome = hello(server, "bank", 0, 1, new Id128(0, 0));
            id = new Id128(welcome.word(0), welcome.word(1));
            region = client.control(ControlCode.CREATE_REGION, 1 << 20);
            long handle = client.control(ControlCode.OPEN_REGION, 0, region.word(0), region.word(1))
                    .word(0);
            assertEquals(0, client.round(new Verbs().write(handle, 64, 42)).status());
            RawClient.Answer freed = client.control(ControlCode.CREATE_REGION, 1 << 20);
            client.control(ControlCode.FREE_REGION, freed.word(0), freed.word(1));
        }
        try (MemoryServer server = start();
                RawClient client = RawClient.known(server, "bank")) {
            assertEquals(Frame.WELCOME, hello(server, "bank", 0, 1, id).kind());
            assertEquals(1, client.control(ControlCode.SESSIONS).word(0), "it may still be repaired");
            client.attach(2);
            client.control(ControlCode.OPEN_LINK, 0);
            long handle = client.control(ControlCode.OPEN_REGION, 0, region.word(0), region.word(1))
                    .word(0);
            assertEquals(42, client.round(new Verbs().read(handle, 64, 8)).word(0));
            assertEquals(4, client.control(ControlCode.REGIONS).count());
        }
        try (PoolInspection inspection = PoolInspection.of(dir.resolve("data").resolve("bank"))) {
            assertEquals(null, inspection.fault());
            assertTrue(inspection.options().endsWith("served as node 0 of 1"), inspection.options());
        }
    }

    @Test
    void nodeNumberCountAndIdStayAsTheyWere() throws IOException {
        Id128 id = new Id128(7, 9);
        try (MemoryServer server = start()) {
            assertEquals(Frame.WELCOME, hello(server, "bank", 1, 3, id).kind());
        }
        try (MemoryServer server = start()) {
            for (RawClient.Answer other : new RawClient.Answer[] {
                hello(server, "bank", 2, 3, id),
                hello(server, "bank", 1, 4, id),
                hello(server, "bank", 1, 3, new Id128(7, 8)),
                hello(server, "bank", 3, 3, id),
                hello(server, "../bank", 0, 1, new Id128(0, 0)),
                hello(server, "gone", 0, 1, id)
            }) {
                assertEquals(Frame.REFUSED, other.kind());
                assertEquals(RefusedCode.POOL, other.status(), other.text());
            }
            assertEquals(Frame.WELCOME, hello(server, "bank", 1, 3, id).kind());
        }
    }

    @Test
    void twoNodesNeverServeOneDirectory() {
        try (MemoryServer _ = start()) {
            assertTrue(refusedToStart().contains("another node serves this directory"));
            assertTrue(refusedToStart().contains("another node serves this directory"), "also when asked again");
        }
        start().close();
    }

    @Test
    void whatIsForeignOrDamagedIsNotServed() throws IOException {
        Path data = dir.resolve("data");
        try (MemoryServer server = start();
                RawClient client = RawClient.attached(server, "bank", 1)) {
            client.region(1 << 20);
        }
        Path region = data.resolve("bank/node-0/region-0");
        byte[] whole = Files.readAllBytes(region);
        Files.write(region, java.util.Arrays.copyOf(whole, whole.length - 4096), StandardOpenOption.TRUNCATE_EXISTING);
        assertTrue(refusedToStart().contains("was cut or is another"));
        Files.write(region, whole, StandardOpenOption.TRUNCATE_EXISTING);

        Path superblock = data.resolve("bank/pool");
        byte[] block = Files.readAllBytes(superblock);
        byte[] flipped = block.clone();
        flipped[41] ^= 1; // the node's number
        Files.write(superblock, flipped);
        assertTrue(refusedToStart().contains("damaged"));
        Files.write(superblock, block);

        Files.createDirectory(data.resolve("photos"));
        assertTrue(refusedToStart().contains("not a Tidepool pool"));
        Files.delete(data.resolve("photos"));

        ShmFabric.open(data.resolve("whole"), ShmOptions.defaults()).close();
        assertTrue(refusedToStart().contains("a whole pool for shm:"));
        FabricException notShared =
                assertThrows(FabricException.class, () -> ShmFabric.open(data.resolve("bank"), ShmOptions.defaults()));
        assertTrue(notShared.getMessage().contains("cannot be shared by files"), notShared.getMessage());
    }
}
