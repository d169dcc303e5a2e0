package tidepool.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.memory.NodeLayout;

/** Tests of one pool in several real processes. */
@Timeout(300)
class ShmProcessesTest {
    @TempDir
    Path folder;

    private String url() {
        return "shm:" + folder.resolve("pool") + "?nodes=2&revokeWaitMillis=300";
    }

    private ChildJvm child() {
        ChildJvm child = ChildJvm.start(PoolChild.class);
        String answer = child.ask("open " + url());
        assertTrue(answer.startsWith("session="), answer);
        return child;
    }

    private static int session(String answer) {
        return Integer.parseInt(answer.substring("session=".length(), answer.indexOf(' ')));
    }

    /** Atomics are atomic towards each other also between processes: no addition is lost. */
    @Test
    void additionsOfFourProcessesSumExactly() {
        try (Fabric fabric = Fabric.open(url())) {
            Id128 counter = fabric.control(0).createRegion(4096);
            List<ChildJvm> children = children(4);
            for (ChildJvm child : children) child.tell("faa " + counter.hex() + " 50000");
            for (ChildJvm child : children) assertEquals("done", child.hear());

            assertEquals(200_000, word(fabric, counter, 0));
            children.forEach(ChildJvm::close);
        }
    }

    /** A lock taken by CAS excludes all other processes, and the next holder sees what was written under it. */
    @Test
    void lockIsNeverHeldTwice() {
        try (Fabric fabric = Fabric.open(url())) {
            Id128 lock = fabric.control(0).createRegion(4096);
            List<ChildJvm> children = children(3);
            for (ChildJvm child : children) child.tell("lock " + lock.hex() + " 3000");
            for (ChildJvm child : children) assertEquals("violations=0", child.hear());

            assertEquals(9_000, word(fabric, lock, 16));
            assertEquals(0, word(fabric, lock, 0));
            children.forEach(ChildJvm::close);
        }
    }

    /** READ and WRITE really tear; a checksum notices every torn record. */
    @Test
    void recordOfAnotherProcessIsWholeOrDetectedTorn() {
        try (Fabric fabric = Fabric.open(url());
                Session session = fabric.attach();
                ChildJvm child = child()) {
            Id128 records = fabric.control(0).createRegion(RecordFormat.BYTES);
            Lane lane = session.lane();
            Region region = lane.connect(0).open(records);
            Round round = lane.round(1);
            MemorySegment landing = lane.landing(RecordFormat.BYTES);
            assertEquals("writing", child.ask("write " + records.hex()));
            int reads = 0;
            int torn = 0;
            Set<Long> versions = new HashSet<>();
            while (reads < 2_000_000 && (torn < 100 || versions.size() < 100)) {
                round.read(region, 0, RecordFormat.BYTES, landing, 0).post().await();
                reads++;
                if (landing.get(Words.U64, 0) == 0) continue; // nothing written yet
                if (!RecordFormat.claimsToBeWhole(landing)) torn++;
                else {
                    assertTrue(RecordFormat.isWhole(landing), "the checksum is right, the record is not");
                    if (versions.size() < 100) versions.add(landing.get(Words.U64, 0));
                }
            }
            System.out.println(
                    "shm: of " + reads + " reads of a record being written, " + torn + " were torn and detected");
            assertTrue(versions.size() > 1, "the writer was seen writing");
        }
    }

    /**
     * Lock files of other processes stay open because they are probed often; but only a limited number, and none of the
     * dead.
     */
    @Test
    void askingAboutManySessionsKeepsFewFilesOpen() throws Exception {
        Path descriptors = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(descriptors));
        try (Fabric fabric = Fabric.open(url());
                ChildJvm child = ChildJvm.start(PoolChild.class)) {
            int first = session(child.ask("open " + url()));
            int last = Integer.parseInt(child.ask("attach 150").substring("last=".length()));
            long own = openLockFiles(descriptors);

            for (int twice = 0; twice < 2; twice++)
                for (int session = first; session <= last; session++) assertFalse(fabric.isDead(session));
            long asked = openLockFiles(descriptors) - own;
            child.kill();
            child.awaitEnd();
            for (int session = first; session <= last; session++) assertTrue(fabric.isDead(session));

            assertTrue(asked > 0 && asked <= 64, "open: " + asked);
            assertEquals(own, openLockFiles(descriptors));
        }
    }

    private long openLockFiles(Path descriptors) throws Exception {
        long count = 0;
        try (var links = Files.list(descriptors)) {
            for (Path link : links.toList())
                if (Files.isSymbolicLink(link)
                        && Files.readSymbolicLink(link).toString().contains(folder + "/pool/sessions/")) count++;
        }
        return count;
    }

    /** The kernel shows at once that a process is dead. Its session is revoked, and the others continue. */
    @Test
    void killedProcessIsDeadAndRevokedAtOnce() {
        try (Fabric fabric = Fabric.open(url())) {
            Id128 counter = fabric.control(0).createRegion(4096);
            long[] nanos = new long[7];
            for (int i = 0; i < nanos.length; i++) {
                try (ChildJvm child = ChildJvm.start(PoolChild.class)) {
                    int victim = session(child.ask("open " + url()));
                    assertEquals("looping", child.ask("loop " + counter.hex()));
                    assertFalse(fabric.isDead(victim));

                    long before = System.nanoTime();
                    child.kill();
                    while (!fabric.isDead(victim)) Thread.onSpinWait();
                    nanos[i] = System.nanoTime() - before;

                    assertTrue(nanos[i] < 2_000_000_000L, "seen within two seconds");
                    for (int node = 0; node < 2; node++) {
                        fabric.control(node).revoke(victim);
                        assertTrue(fabric.control(node).isRevoked(victim));
                    }
                    long left = word(fabric, counter, 0);
                    child.awaitEnd();
                    assertEquals(left, word(fabric, counter, 0), "nothing of it is under way any more");
                    assertTrue(
                            Files.exists(folder.resolve("pool/sessions/" + victim + ".lock")), "until it is forgotten");
                    for (int node = 0; node < 2; node++) fabric.control(node).forget(victim);
                    assertFalse(Files.exists(folder.resolve("pool/sessions/" + victim + ".lock")));
                    assertEquals(0, fabric.control(0).sessions().length, "the survivors' tables are clean");
                }
            }
            Arrays.sort(nanos);
            System.out.printf(
                    "shm: from kill -9 to isDead: median %.2f ms, longest %.2f ms%n",
                    nanos[nanos.length / 2] / 1e6, nanos[nanos.length - 1] / 1e6);
        }
    }

    /** A stopped process may be between its check and its store: it is not dead and cannot be fenced, only named. */
    @Test
    void stoppedProcessIsNotDeadAndRevokingNamesIt() {
        try (Fabric fabric = Fabric.open(url());
                ChildJvm child = ChildJvm.start(PoolChild.class)) {
            Id128 counter = fabric.control(0).createRegion(4096);
            int stopped = session(child.ask("open " + url()));
            assertEquals("looping", child.ask("loop " + counter.hex()));
            child.stop();

            assertFalse(fabric.isDead(stopped));
            FabricException e =
                    assertThrows(FabricException.class, () -> fabric.control(0).revoke(stopped));
            assertEquals(FabricException.Reason.TIMED_OUT, e.reason());
            assertTrue(e.getMessage().contains("session=" + stopped + " pid=" + child.pid()), e.getMessage());
            assertTrue(fabric.control(0).isRevoked(stopped));
            assertFalse(fabric.isDead(stopped));

            child.cont();
            String answer = child.hear();
            assertTrue(answer.startsWith("FabricException REFUSED EPOCH"), answer);
            assertTrue(child.ask("faa " + counter.hex() + " 1").startsWith("FabricException"), "and it stays out");
            assertEquals("closed", child.ask("close"));
            fabric.control(0).revoke(stopped);
        }
    }

    /** Pools grow while others are attached: a region created by one process is visible to all of them. */
    @Test
    void regionsMadeLaterAreSeenByAll() {
        try (Fabric fabric = Fabric.open(url());
                ChildJvm one = child();
                ChildJvm two = child()) {
            Id128 mine = fabric.control(0).createRegion(4096);
            Id128 theirs = Id128.fromHex(two.ask("create 8192"));
            assertEquals("done", one.ask("faa " + mine.hex() + " 3"));
            assertEquals("done", one.ask("faa " + theirs.hex() + " 4"));

            assertEquals(3, word(fabric, mine, 0));
            assertEquals(4, word(fabric, theirs, 0));
            assertEquals(2, fabric.control(0).statistics().regions());
            assertEquals(2, fabric.control(0).sessions().length);
        }
    }

    /** A process that dies inside a control call leaves its lock to the next one. */
    @Test
    void controlLockOfKilledProcessIsTakenOver() {
        try (ShmFabric fabric = (ShmFabric) Fabric.open(url());
                ChildJvm child = child()) {
            assertEquals("found=0", child.ask("hold-control-lock"));
            child.kill();

            Id128 region = fabric.control(0).createRegion(4096);
            assertEquals(0, word(fabric, region, 0));
            assertEquals(0, Words.acquire(fabric.memoryNode(0).meta(), NodeLayout.CONTROL_LOCK));
        }
    }

    /** A process killed while it fills a region leaves a file that is no region; the next creation overwrites it. */
    @Test
    void processKilledWhileAddingRegionsLeavesWholeOnes() {
        for (int i = 0; i < 5; i++) {
            String url = "shm:" + folder.resolve("pool-" + i) + "?nodes=1";
            try (Fabric fabric = Fabric.open(url);
                    ChildJvm child = ChildJvm.start(PoolChild.class)) {
                child.ask("open " + url);
                assertEquals("creating", child.ask("create-regions " + (32 << 20)));
                while (fabric.control(0).regions().length == 0) Thread.onSpinWait();
                for (int spin = 0; spin < i * 1_000_000; spin++) Thread.onSpinWait();
                child.kill();

                Id128 region = fabric.control(0).createRegion(1 << 20);
                for (long at = 0; at < 1 << 20; at += 4096) assertEquals(0, word(fabric, region, at));
                Fabric.open(url).close();
            }
        }
    }

    /** A process that opens the pool removes the lock files of dead sessions, but never one that is being created. */
    @Test
    void sweepingNeverTakesLivingSessions() {
        try (Fabric fabric = Fabric.open(url());
                ChildJvm sweeper = ChildJvm.start(PoolChild.class);
                ChildJvm second = ChildJvm.start(PoolChild.class)) {
            assertEquals("sweeping", sweeper.ask("sweep " + url()));
            assertEquals("sweeping", second.ask("sweep " + url()));
            for (int i = 0; i < 1500; i++) {
                try (Session session = fabric.attach()) {
                    Path file = folder.resolve("pool/sessions/" + session.number() + ".lock");
                    assertTrue(Files.exists(file), "swept though it lives: " + file);
                }
            }
        }
    }

    /** Eight processes open the pool at once: one creates it, and all attach to that one. */
    @Test
    void oneOfManyCreatesAndAllAttach() throws Exception {
        List<ChildJvm> children = new ArrayList<>();
        for (int i = 0; i < 8; i++) children.add(ChildJvm.start(PoolChild.class));
        for (ChildJvm child : children) child.tell("open " + url());
        Set<Integer> sessions = new HashSet<>();
        Set<String> ids = new HashSet<>();
        for (ChildJvm child : children) {
            String answer = child.hear();
            assertTrue(answer.startsWith("session="), answer);
            sessions.add(session(answer));
            ids.add(answer.substring(answer.indexOf("id=")));
        }

        assertEquals(8, sessions.size());
        assertEquals(1, ids.size(), "all are in one pool");
        try (ShmFabric fabric = (ShmFabric) Fabric.open(url())) {
            assertTrue(ids.contains("id=" + fabric.id().hex()), "and it is the one that is there now");
            assertEquals(8, fabric.control(0).sessions().length);
            for (int session : sessions) assertFalse(fabric.isDead(session));
        }
        assertNoDebris(folder);
        children.forEach(ChildJvm::close);
    }

    /** A creator killed half-way leaves debris and a free lock; the next one removes the debris and continues. */
    @Test
    void killedCreatorIsSucceeded() throws Exception {
        Path path = folder.resolve("pool");
        try (ChildJvm creator = ChildJvm.start(PoolChild.class);
                ChildJvm next = ChildJvm.start(PoolChild.class)) {
            assertEquals("holding true", creator.ask("hold-creation " + path));
            FabricException e = assertThrows(FabricException.class, () -> Fabric.open("shm:" + path + "?mode=attach"));
            assertTrue(e.getMessage().contains("nothing exists at " + path), e.getMessage());
            next.tell("open " + url());
            creator.kill();

            assertTrue(next.hear().startsWith("session="));
            assertNoDebris(folder);
        }
    }

    /** Wherever a creator is killed, the pool's path holds nothing or a complete pool. */
    @Test
    void poolIsWholeOrNotThereWhereverItsCreatorDied() throws Exception {
        for (int i = 0; i < 6; i++) {
            Path here = Files.createDirectory(folder.resolve("round-" + i));
            try (ChildJvm child = ChildJvm.start(PoolChild.class)) {
                assertEquals("creating", child.ask("create-pools " + here));
                while (!Files.exists(here.resolve("pool-" + i))) Thread.onSpinWait();
                for (int spin = 0; spin < i * 300_000; spin++) Thread.onSpinWait();
                child.kill();
            }
            int whole = 0;
            while (Files.exists(here.resolve("pool-" + whole)))
                Fabric.open("shm:" + here.resolve("pool-" + whole++) + "?mode=attach")
                        .close();
            assertNotEquals(0, whole);
            Fabric.open("shm:" + here.resolve("pool-" + whole)).close();
            assertNoDebris(here);
        }
    }

    private List<ChildJvm> children(int count) {
        List<ChildJvm> children = new ArrayList<>();
        for (int i = 0; i < count; i++) children.add(ChildJvm.start(PoolChild.class));
        for (ChildJvm child : children) child.tell("open " + url());
        for (ChildJvm child : children) assertTrue(child.hear().startsWith("session="));
        return children;
    }

    private static void assertNoDebris(Path folder) throws Exception {
        try (var entries = Files.list(folder)) {
            assertEquals(
                    List.of(),
                    entries.filter(e -> e.toString().contains(".new-")).toList());
        }
    }

    private static long word(Fabric fabric, Id128 capability, long offset) {
        try (Session session = fabric.attach()) {
            Lane lane = session.lane();
            MemorySegment landing = lane.landing(8);
            lane.round(1)
                    .read(lane.connect(0).open(capability), offset, 8, landing, 0)
                    .post()
                    .await();
            return landing.get(Words.U64, 0);
        }
    }
}
