package tidepool.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;

/** The measurements run, and leave no files or processes. Speed is not checked here. */
class FabricBenchTest {
    private final List<String> lines = new ArrayList<>();
    private final FabricBench bench = new FabricBench(lines::add, 3, 1_000);

    @Test
    void theSimulatorIsMeasuredWithAndWithoutTheAdversary() {
        bench.sim();

        FabricResult plain = bench.results().get(0);
        assertEquals("rounds/cx5", plain.operation());
        assertEquals(1_000, plain.limitNanosP50());
        assertEquals("≥ 1.0 M rounds/s", plain.bound());
        assertEquals(plain.nanosP50() / 1_000, plain.ratio());
        FabricResult adverse = bench.results().get(1);
        assertEquals("rounds/cx5+adversary", adverse.operation());
        assertEquals(2_000, adverse.limitNanosP50());
        assertEquals("≥ 0.5 M rounds/s", adverse.bound());
    }

    /**
     * One round at a time and many at once, each compared with raw messages, in processes that have ended afterwards.
     */
    @Tag("full")
    @Tag("process")
    @Test
    void roundsOverTcpAreMeasuredNextToRawMessages() {
        bench.tcp(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));

        FabricResult one = bench.results().get(0);
        assertEquals("read8", one.operation());
        assertEquals(one.nanosP50() / one.limitNanosP50(), one.ratio());
        assertEquals("ratio <= 1.5, 0 bytes", one.bound());
        FabricResult many = bench.results().get(1);
        assertEquals("read8-64coordinators", many.operation());
        assertEquals(many.limitNanosP50() / many.nanosP50(), many.ratio());
        assertEquals("rate >= 0.4, 0 bytes", many.bound());
        assertEquals(0, one.bytesAllocatedPerRound(), 0.01);
        assertEquals(0, many.bytesAllocatedPerRound(), 0.01);
    }

    @Test
    void theLastLineNamesWhatWasNotKept() {
        bench.add(new FabricResult("mem", "good", 1, 1, 1, 0, 0, "ratio <= 1.5", true));
        bench.verdict();
        assertEquals("All 1 promises were kept in this run.", lines.getLast());

        bench.add(new FabricResult("sim", "bad", 3, 1, 3, 0, 0, "≥ 1.0 M rounds/s", false));
        bench.verdict();
        assertEquals("1 of 2 promises were NOT kept in this run: sim bad.", lines.getLast());
    }

    /** A pool of 70 MB in memory is not something to forget. */
    @Test
    void aTemporaryPoolIsRemovedWithEverythingInIt() {
        Path folder;
        try (TemporaryPool pool = TemporaryPool.create(1 << 20);
                Fabric fabric = Fabric.open(pool.url("nodes=1"))) {
            folder = pool.folder();
            fabric.control(0).createRegion(4096);
            assertTrue(Files.isDirectory(folder));
        }
        assertFalse(Files.exists(folder));
    }

    @Test
    void aPoolThatFitsNowhereIsRefused() {
        assertThrows(IllegalStateException.class, () -> TemporaryPool.create(Long.MAX_VALUE));
    }
}
