package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.memory.ChainedWorkLayout;
import tidepool.memory.Handlers;
import tidepool.node.journal.Durability;
import tidepool.node.journal.JournalOptions;
import tidepool.node.journal.JournalRecovery;
import tidepool.node.journal.NodeImage;
import tidepool.node.journal.SimulatedDisk;
import tidepool.node.journal.SimulatedDisk.Loss;
import tidepool.node.journal.SimulatedDisk.PowerLost;
import tidepool.wire.ControlCode;

/**
 * Writes that a node makes itself are kept like those of verbs: logs that chained work copies to data, as HDTX's
 * release does, and the version table of a CALL. The power is lost at every operation on the disk, with frequent
 * checkpoints and new segments.
 */
class MemorySideJournalTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final int ROUNDS = 12;
    private static final int REGION_BYTES = 4096;
    private static final long MARK = 1L << 63;
    private static final long IMAGE = 1024;

    @TempDir
    Path dir;

    /** The data of both regions after each answered round; the first element is the data before all rounds. */
    private final List<byte[]> states = new ArrayList<>();

    private final RawClient.Answer[] regions = new RawClient.Answer[2];
    private int folders;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @Test
    void whatTheMemorySideWroteIsThereWhereverThePowerGoes() throws IOException {
        SimulatedDisk whole = new SimulatedDisk();
        assertEquals(ROUNDS, run(whole, true));
        int operations = whole.log().size();
        assertTrue(operations > 40, "the disk has something to do: " + operations);
        assertTrue(whole.log().stream().anyMatch(line -> line.contains("checkpoint")), "checkpoints were made");
        for (int i = 1; i < states.size(); i++) assertTrue(!Arrays.equals(states.get(i - 1), states.get(i)));

        Random random = new Random(42);
        for (int at = 0; at <= operations; at++) {
            SimulatedDisk disk = new SimulatedDisk();
            disk.failAt(at, random.nextBoolean());
            int answered = run(disk, false);
            for (Loss loss : Loss.values())
                assertKept(disk.afterLoss(loss, random), answered, "at operation " + at + ", lost " + loss);
        }
    }

    /** A node that ended in order, and a node restarted after a loss of power, serve the earlier memory. */
    @Test
    void aNodeThatComesBackServesIt() throws IOException {
        SimulatedDisk disk = new SimulatedDisk();
        run(disk, true);
        for (Loss loss : new Loss[] {Loss.NOTHING, Loss.EVERYTHING}) {
            SimulatedDisk after = disk.afterLoss(loss, new Random(1));
            try (MemoryServer server = start(after);
                    RawClient client = RawClient.known(server, "bank")) {
                client.attach(9);
                client.control(ControlCode.OPEN_LINK, 0);
                assertArrayEquals(states.get(ROUNDS), state(client, open(client)), "lost " + loss);
            }
        }
    }

    private MemoryServer start(SimulatedDisk disk) {
        JournalOptions options = new JournalOptions(Durability.STRICT, 4_000, 3_000, path -> disk, null);
        return MemoryServer.start(NodeOptions.onLoopback("memory-0", 0, 64 << 20)
                .withDir(dir.resolve("node-" + folders++))
                .withJournal(options));
    }

    /** Returns the number of rounds answered before the power was lost. */
    private int run(SimulatedDisk disk, boolean remembers) throws IOException {
        int answered = 0;
        try (MemoryServer server = start(disk);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            for (int i = 0; i < 2; i++) regions[i] = client.control(ControlCode.CREATE_REGION, REGION_BYTES);
            long[] handles = open(client);
            if (remembers) states.add(state(client, handles));
            while (answered < ROUNDS) {
                RawClient.Answer answer =
                        client.round(verbs(answered + 1, handles, regions[1].word(0), regions[1].word(1)));
                if (answer.status() != 0) throw new IOException("refused: " + answer.status());
                answered++;
                if (remembers) states.add(state(client, handles));
            }
        } catch (PowerLost | IOException | IllegalStateException lost) {
            if (remembers) throw lost;
        }
        return answered;
    }

    private long[] open(RawClient client) throws IOException {
        long[] handles = new long[2];
        for (int i = 0; i < 2; i++) {
            RawClient.Answer opened =
                    client.control(ControlCode.OPEN_REGION, 0, regions[i].word(0), regions[i].word(1));
            assertEquals(i, opened.word(1), "number");
            assertEquals(REGION_BYTES, opened.word(2), "bytes");
            handles[i] = opened.word(0);
        }
        return handles;
    }

    /** A transaction: marked, logged, copied by the node, made visible, unlocked; its version goes to the table. */
    private static Verbs verbs(int i, long[] handles, long capabilityHigh, long capabilityLow) {
        long place = 1 + i % 5;
        return new Verbs()
                .cas(handles[0], 8, 0, i)
                .write(handles[0], 0, MARK | i)
                .write(handles[0], IMAGE, i, 10L * i, 100L * i, 1000L * i)
                .write(handles[0], 2048, descriptor(i))
                .chain(handles[0], 2048)
                .call(
                        Handlers.VERSIONS,
                        64,
                        capabilityHigh,
                        capabilityLow,
                        i, // id
                        0, // no transaction is forgotten
                        0,
                        1, // settles
                        1, // announces
                        1, // looks
                        0,
                        place,
                        i,
                        100 + i,
                        200 + i,
                        i)
                .cas(handles[0], 8, i, 0)
                .flush();
    }

    /** GUARD VER, COPY image to body, SET VER; all on the region with number 0. */
    private static long[] descriptor(int i) {
        return new long[] {
            ChainedWorkLayout.MAGIC << 32 | 3,
            ChainedWorkLayout.STATUS_NEW,
            ChainedWorkLayout.GUARD,
            0,
            MARK | i,
            0,
            ChainedWorkLayout.COPY,
            IMAGE,
            64,
            32,
            ChainedWorkLayout.SET,
            0,
            i,
            0
        };
    }

    private static byte[] state(RawClient client, long[] handles) throws IOException {
        byte[] state = new byte[2 * REGION_BYTES];
        for (int i = 0; i < 2; i++)
            client.round(new Verbs().read(handles[i], 0, REGION_BYTES))
                    .body()
                    .get(0, state, i * REGION_BYTES, REGION_BYTES);
        return state;
    }

    /** Asserts that recovery yields the memory after the last answered round, or after the round under way. */
    private void assertKept(SimulatedDisk after, int answered, String where) throws IOException {
        byte[] found = new byte[2 * REGION_BYTES];
        try (NodeImage image = new NodeImage(1L << 30)) {
            JournalRecovery.read(after, image);
            for (NodeImage.Pool pool : image.pools().values())
                pool.regions().forEach((number, memory) -> {
                    MemorySegment data = memory.asSlice(memory.byteSize() - REGION_BYTES);
                    MemorySegment.copy(data, ValueLayout.JAVA_BYTE, 0, found, number * REGION_BYTES, REGION_BYTES);
                });
        }
        int next = Math.min(answered + 1, ROUNDS);
        if (!Arrays.equals(found, states.get(next))) assertArrayEquals(states.get(answered), found, where);
    }
}
