package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.fabric.FabricException;
import tidepool.node.journal.Durability;
import tidepool.node.journal.JournalOptions;
import tidepool.wire.ControlCode;
import tidepool.wire.ControlStatus;

/** A node that is started again has the memory that it is told then, unless its pools take more. */
class NodeMemoryTest {
    private static final long REGION = 12 << 20;

    @TempDir
    Path dir;

    private MemoryServer start(Durability durability, int megabytes) {
        NodeOptions options = NodeOptions.onLoopback("memory-0", 0, (long) megabytes << 20)
                .withDir(dir.resolve(durability.name().toLowerCase(Locale.ROOT)));
        return MemoryServer.start(
                durability == Durability.NONE ? options : options.withJournal(JournalOptions.of(durability)));
    }

    /** A session of the pool, which an earlier life of the node may have known. */
    private static RawClient client(MemoryServer server, int session) throws IOException {
        if (session == 1) return RawClient.attached(server, "bank", session);
        RawClient client = RawClient.known(server, "bank");
        assertEquals(0, client.attach(session).status());
        assertEquals(0, client.control(ControlCode.OPEN_LINK, 0).status());
        return client;
    }

    private static long handle(RawClient client, RawClient.Answer region) throws IOException {
        return client.control(ControlCode.OPEN_REGION, 0, region.word(0), region.word(1))
                .word(0);
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void moreMemoryIsUsedAndLessThanIsUsedIsRefused(Durability durability) throws IOException {
        RawClient.Answer region;
        try (MemoryServer server = start(durability, 16);
                RawClient client = client(server, 1)) {
            region = client.control(ControlCode.CREATE_REGION, REGION);
            assertEquals(
                    0,
                    client.round(new Verbs()
                                    .write(handle(client, region), 64, 42)
                                    .flush())
                            .status());
            RawClient.Answer full = client.control(ControlCode.CREATE_REGION, REGION);
            assertEquals(ControlStatus.FULL, full.status());
            String why = full.text();
            assertTrue(why.matches(".*the node's memory is used up: needed=\\d+ free=\\d+ limit=16777216"), why);
        }
        String refused =
                assertThrows(FabricException.class, () -> start(durability, 8)).getMessage();
        assertTrue(
                refused.matches("the pools of this node take \\d+ bytes, and its limit is 8388608: start it with a"
                        + " larger --memory"),
                refused);
        try (MemoryServer server = start(durability, 64);
                RawClient client = client(server, 2)) {
            assertEquals(
                    42,
                    client.round(new Verbs().read(handle(client, region), 64, 8))
                            .word(0));
            RawClient.Answer second = client.control(ControlCode.CREATE_REGION, REGION);
            assertEquals(0, second.status(), "there is room for a second region");
            assertEquals(
                    0,
                    client.control(ControlCode.FREE_REGION, region.word(0), region.word(1))
                            .status());
            assertEquals(
                    0,
                    client.round(new Verbs()
                                    .write(handle(client, second), 64, 43)
                                    .flush())
                            .status());
            region = second;
        }
        // The journal has both regions. Only the second one has to fit.
        try (MemoryServer server = start(durability, 16);
                RawClient client = client(server, 3)) {
            assertEquals(
                    43,
                    client.round(new Verbs().read(handle(client, region), 64, 8))
                            .word(0));
        }
    }
}
