package tidepool.bench.race;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

class PeersTest {
    @TempDir
    Path folder;

    private static MeasuredWorkload workload(String text) {
        return Workloads.named(text, Scale.PAPER);
    }

    @Test
    void anUnknownPeerIsRefusedWithTheKnownOnes() {
        var refused = assertThrows(IllegalArgumentException.class, () -> Peers.named("oracle"));
        assertTrue(
                refused.getMessage().startsWith("unknown peer 'oracle'; known: infinispan, rocksdb, "),
                refused.getMessage());
    }

    /** How many transactions Redis has under way stands in its name. */
    @Test
    void redisCanHaveAnyNumberUnderWay() {
        assertTrue(Peers.isKnown("redis-3"));
        assertEquals("redis-3", Peers.named("redis-3").name());
        assertFalse(Peers.isKnown("redis-0"));
        assertFalse(Peers.isKnown("redis-lots"));
    }

    /**
     * Compared contenders have equal numbers under way: one driver of Redis stands for all coordinators of a thread.
     */
    @Test
    void redisHasAsManyUnderWayAsThereAreCoordinators() {
        assertEquals("redis-32", Peers.withUnderWay("redis", 32));
        assertEquals("redis", Peers.withUnderWay("redis", 1));
        assertEquals("redis-16", Peers.withUnderWay("redis-16", 32));
        assertEquals("chm", Peers.withUnderWay("chm", 32));
        assertTrue(Peers.isPipelined("redis-32"));
        assertFalse(Peers.isPipelined("redis"));
    }

    /** A missing server is reported before anything runs, with a remedy. */
    @Test
    void aMissingProgramIsNamed() throws Exception {
        Peer redis = Peers.named("redis");
        assertEquals(
                "no redis-server on the PATH; install it, or leave redis out of --peers",
                redis.missing(folder.toString()));

        Path program = Files.createFile(folder.resolve("redis-server"));
        assertTrue(program.toFile().setExecutable(true));
        assertNull(redis.missing("/nowhere:" + folder));
    }

    /** Scans need an order of keys, which hash maps do not have. */
    @Test
    void onlyOrderedStoresScan() {
        for (String text : List.of("ycsb-e", "tpcc")) {
            MeasuredWorkload scanning = Workloads.named(text, Scale.SPEC);
            for (String peer : List.of("straw", "chm", "redis", "infinispan")) {
                var refused =
                        assertThrows(IllegalArgumentException.class, () -> Peers.requireCanRun(peer, scanning), peer);
                assertTrue(refused.getMessage().contains("of the peers rocksdb, "), refused.getMessage());
            }
            assertDoesNotThrow(() -> Peers.requireCanRun("rocksdb", scanning));
            assertDoesNotThrow(() -> Peers.requireCanRun("lmdb", scanning));
        }
        assertDoesNotThrow(() -> Peers.requireCanRun("postgres", Workloads.named("ycsb-e", Scale.SPEC)));
        assertDoesNotThrow(() -> Peers.requireCanRun("straw", workload("tpcc")));
        assertThrows(IllegalArgumentException.class, () -> Peers.requireCanRun("rocksdb", workload("tpcc")));
    }

    @Test
    void aPeerThatCannotRunAWorkloadSaysWhoCan() {
        var refused = assertThrows(IllegalArgumentException.class, () -> Peers.requireCanRun("hand", workload("kvs")));
        assertTrue(refused.getMessage().startsWith("hand does not run kvs; "), refused.getMessage());
        assertDoesNotThrow(() -> Peers.requireCanRun("hand", workload("smallbank")));
    }
}
