package tidepool.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.memory.Extent;
import tidepool.memory.Handlers;

/** A shared-memory pool inside one process: opening, closing, growing. */
class ShmPoolTest {
    @TempDir
    Path folder;

    private String url() {
        return "shm:" + folder.resolve("pool") + "?nodes=2";
    }

    /** Written data stays when all processes have closed the pool. */
    @Test
    void bytesOutliveTheirProcess() {
        Id128 capability;
        try (Fabric fabric = Fabric.open(url())) {
            capability = fabric.control(1).createRegion(4096);
            put(fabric, 1, capability, 64, 42);
        }

        try (Fabric fabric = Fabric.open(url())) {
            assertArrayEquals(new Id128[] {capability}, fabric.control(1).regions());
            assertEquals(42, get(fabric, 1, capability, 64));
        }
    }

    /** Only the owner may read a new pool; there is no other boundary. */
    @Test
    void newPoolIsForItsOwnerAlone() throws IOException {
        Fabric.open(url()).close();

        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("pool"))));
    }

    /** Numbers are never reused, also not after all sessions left. */
    @Test
    void sessionNumbersOnlyGrow() {
        int last = 0;
        for (int i = 0; i < 5; i++) {
            try (Fabric fabric = Fabric.open(url());
                    Session session = fabric.attach()) {
                assertTrue(session.number() > last);
                last = session.number();
            }
        }
    }

    /** A session that left is reported as dead; a number that was never given out is not. */
    @Test
    void onlyEndedSessionsAreDead() throws IOException {
        try (Fabric fabric = Fabric.open(url())) {
            Session stays = fabric.attach();
            Session leaves = fabric.attach();
            leaves.close();

            assertFalse(fabric.isDead(stays.number()));
            assertTrue(fabric.isDead(leaves.number()));
            assertFalse(fabric.isDead(stays.number() + 1000));
            assertFalse(fabric.isDead(0));
            assertFalse(fabric.isDead(-1));
            assertEquals(2, lockFiles(), "one for the session, one for control");
        }
        assertEquals(0, lockFiles());
    }

    /** Closing any channel of a locked file gives the lock up, so a probe from the same process must not open it. */
    @Test
    void twoFabricsOfOneProcessSeeEachOtherAlive() throws IOException {
        Path alias = Files.createSymbolicLink(folder.resolve("alias"), folder.resolve("pool"));
        try (Fabric one = Fabric.open(url());
                Fabric two = Fabric.open("shm:" + alias);
                ChildJvm child = ChildJvm.start(LivenessChild.class, url())) {
            Session first = one.attach();
            Session second = two.attach();
            for (int i = 0; i < 3; i++) {
                assertFalse(one.isDead(second.number()));
                assertFalse(two.isDead(first.number()));
                assertEquals("false", child.ask(Integer.toString(first.number())), "and so does another process");
                assertEquals("false", child.ask(Integer.toString(second.number())));
            }
            second.close();
            assertTrue(one.isDead(second.number()));
            assertEquals("true", child.ask(Integer.toString(second.number())));
        }
    }

    /** When revoke returns, no verb of the session is under way, whichever fabric of this process it belongs to. */
    @Test
    void revokingSessionOfAnotherFabricInThisProcessWaitsForItsRound() throws Exception {
        try (Fabric one = Fabric.open(url());
                Fabric two = Fabric.open(url())) {
            Id128 counter = one.control(0).createRegion(4096);
            for (int i = 0; i < 50; i++) {
                Session victim = two.attach();
                AtomicReference<FabricException> end = new AtomicReference<>();
                Thread looping = looping(victim, counter, end);

                one.control(0).revoke(victim.number());
                long counted = get(one, 0, counter, 0);
                looping.join();

                assertEquals(counted, get(one, 0, counter, 0));
                assertEquals(Refusal.EPOCH, end.get().refusal());
                one.control(0).forget(victim.number());
                one.control(1).revoke(victim.number());
                one.control(1).forget(victim.number());
                victim.close();
            }
        }
    }

    /** Revoking, and closing, wait for a round that is under way, however long it takes. */
    @Test
    void revokingAndClosingWaitForRunningRound() throws Exception {
        for (boolean revoking : new boolean[] {true, false}) {
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            Handlers handlers = new Handlers().with(9, (node, session, request, reply, listener) -> {
                inside.countDown();
                while (goOn.getCount() > 0) Thread.onSpinWait();
                return 0;
            });
            ShmFabric one = ShmFabric.open(folder.resolve("pool"), ShmOptions.defaults());
            ShmFabric two = ShmFabric.open(folder.resolve("pool"), ShmOptions.defaults(), handlers);
            Session victim = two.attach();
            Thread working = Thread.ofPlatform().start(() -> {
                Lane lane = victim.lane();
                MemorySegment landing = lane.landing(16);
                lane.round(1)
                        .call(lane.connect(0), 9, landing, 0, 8, landing, 8, 8)
                        .post()
                        .await();
            });
            inside.await();
            Thread waiting = Thread.ofPlatform().start(() -> {
                if (revoking) one.control(0).revoke(victim.number());
                else two.close();
            });
            // A longer time only makes it likelier to find a mistake.
            boolean returnedEarly = waiting.join(java.time.Duration.ofMillis(200));
            goOn.countDown();
            waiting.join();
            working.join();

            assertFalse(returnedEarly);
            one.close();
            two.close();
        }
    }

    /** A session is revoked at every node, also at nodes to which it never connected. */
    @Test
    void revokedSessionCannotConnectAnywhereAfterwards() {
        try (Fabric fabric = Fabric.open(url())) {
            Session session = fabric.attach();
            Lane lane = session.lane();
            fabric.control(1).revoke(session.number());
            assertEquals(
                    Refusal.EPOCH,
                    assertThrows(FabricException.class, () -> lane.connect(1)).refusal());
            fabric.control(1).forget(session.number());

            assertEquals(
                    Refusal.EPOCH,
                    assertThrows(FabricException.class, () -> lane.connect(1)).refusal());
            lane.connect(0);
        }
    }

    /** A closed pool refuses every call as closed; the mapping is gone, so nothing else would be safe. */
    @Test
    void everythingAfterCloseIsRefusedAsClosed() {
        Fabric fabric = Fabric.open(url());
        NodeControl control = fabric.control(0);
        Id128 capability = control.createRegion(4096);
        Session session = fabric.attach();
        Lane lane = session.lane();
        Link link = lane.connect(0);
        Region region = link.open(capability);
        Round round = lane.round(4);
        MemorySegment landing = lane.landing(64);
        round.read(region, 0, 8, landing, 0).post().await();
        fabric.close();
        fabric.close();
        session.close();
        lane.close();

        closed(fabric::attach);
        closed(() -> fabric.control(0));
        closed(() -> fabric.isDead(1));
        closed(session::lane);
        closed(() -> lane.connect(0));
        closed(() -> link.open(capability));
        closed(link::reconnect);
        closed(() -> round.read(region, 0, 8, landing, 0).post().await());
        closed(() -> round.write(region, 0, 1).post().await());
        closed(() -> round.fetchAndAdd(region, 0, 1, landing, 0).post().await());
        closed(() -> round.flush(link).post().await());
        closed(() -> control.createRegion(4096));
        closed(() -> control.freeRegion(capability));
        closed(() -> control.allocate(capability, 8, 1));
        closed(() -> control.free(capability, new Extent(0, 4096)));
        closed(control::regions);
        closed(() -> control.revoke(1));
        closed(() -> control.isRevoked(1));
        closed(control::sessions);
        closed(() -> control.forget(1));
        closed(control::epoch);
        closed(() -> control.raiseEpoch(9));
        closed(control::statistics);
        assertEquals(4096, region.bytes());
    }

    /** A closed session is refused too: it must not enter the tables of the nodes again. */
    @Test
    void closedSessionStaysOut() {
        try (Fabric fabric = Fabric.open(url())) {
            Id128 capability = fabric.control(0).createRegion(4096);
            Session session = fabric.attach();
            Lane lane = session.lane();
            Link link = lane.connect(0);
            session.close();
            session.close();

            closed(session::lane);
            closed(() -> lane.connect(1));
            closed(link::reconnect);
            closed(() -> link.open(capability));
            assertEquals(0, fabric.control(0).sessions().length);
            assertEquals(0, fabric.control(1).sessions().length);
        }
    }

    /** Closing under running rounds ends them with CLOSED: no other exception, no signal. */
    @Test
    void closingUnderRunningRoundsEndsThem() throws Exception {
        for (int i = 0; i < 30; i++) {
            Fabric fabric = Fabric.open(url());
            Id128 counter = i == 0
                    ? fabric.control(0).createRegion(4096)
                    : fabric.control(0).regions()[0];
            List<Thread> threads = new ArrayList<>();
            List<AtomicReference<FabricException>> ends = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                ends.add(new AtomicReference<>());
                threads.add(looping(fabric.attach(), counter, ends.get(t)));
            }
            fabric.close();
            for (Thread thread : threads) thread.join();

            for (AtomicReference<FabricException> end : ends)
                assertEquals(Reason.CLOSED, end.get().reason());
        }
    }

    /** Closing inside a control call leaves its lock to the next session, and nothing incomplete. */
    @Test
    void closingUnderControlCallsEndsThem() throws Exception {
        for (int i = 0; i < 20; i++) {
            String url = "shm:" + folder.resolve("pool-" + i) + "?nodes=1";
            Fabric fabric = Fabric.open(url);
            NodeControl control = fabric.control(0);
            AtomicReference<FabricException> end = new AtomicReference<>();
            CountDownLatch running = new CountDownLatch(1);
            Thread thread = Thread.ofPlatform().start(() -> {
                try {
                    Id128 region = control.createRegion(1 << 20);
                    while (true) {
                        control.free(region, control.allocate(region, 100_000, 1));
                        running.countDown();
                        control.freeRegion(control.createRegion(1 << 20));
                    }
                } catch (FabricException e) {
                    end.set(e);
                }
            });
            running.await();
            fabric.close();
            thread.join();

            assertEquals(Reason.CLOSED, end.get().reason(), end.get().getMessage());
            try (Fabric next = Fabric.open(url)) {
                assertTrue(next.control(0).regions().length >= 1);
                get(next, 0, next.control(0).createRegion(4096), 0);
            }
        }
    }

    /** Java closes channels under an interrupted thread; neither a lock nor a region may be lost by that. */
    @Test
    void interruptedThreadLosesNothing() {
        try (Fabric fabric = Fabric.open(url());
                ChildJvm child = ChildJvm.start(LivenessChild.class, url())) {
            Thread.currentThread().interrupt();
            Session session = fabric.attach();
            Id128 capability = fabric.control(0).createRegion(4 << 20);
            boolean dead = fabric.isDead(session.number());
            boolean stillInterrupted = Thread.interrupted();

            assertTrue(stillInterrupted);
            assertFalse(dead);
            assertEquals("false", child.ask(Integer.toString(session.number())));
            put(fabric, 0, capability, 0, 1);
        }
    }

    /** A region file that was never published, of whatever size and content, is debris. */
    @Test
    void leftoverOfRegionIsOverwritten() throws IOException {
        try (Fabric fabric = Fabric.open(url())) {
            byte[] junk = new byte[100_000];
            java.util.Arrays.fill(junk, (byte) 0x77);
            Files.write(folder.resolve("pool/node-0/region-0"), junk);
            Id128 capability = fabric.control(0).createRegion(1 << 16);

            for (long at = 0; at < 1 << 16; at += 8) assertEquals(0, get(fabric, 0, capability, at));
        }
    }

    /** The file of a freed region is removed, also if the process that freed it did not remove it. */
    @Test
    void freedRegionsLeaveNoFile() throws IOException {
        Path file = folder.resolve("pool/node-0/region-0");
        try (Fabric fabric = Fabric.open(url());
                Fabric other = Fabric.open(url())) {
            Id128 capability = fabric.control(0).createRegion(4096);
            put(other, 0, capability, 0, 5);
            fabric.control(0).freeRegion(capability);
            assertFalse(Files.exists(file));
            FabricException e = assertThrows(FabricException.class, () -> get(other, 0, capability, 0));
            assertEquals(Refusal.KEY, e.refusal());
        }
        Files.write(file, new byte[4096]);
        Fabric.open(url()).close();
        assertFalse(Files.exists(file));
    }

    /** The next process that opens the pool removes lock files of processes that died without ever attaching. */
    @Test
    void debrisOfSessionsIsSwept() throws IOException {
        Fabric.open(url()).close();
        Files.createFile(folder.resolve("pool/sessions/77.lock"));
        Files.createFile(folder.resolve("pool/sessions/notes.txt"));
        Fabric.open(url()).close();

        assertFalse(Files.exists(folder.resolve("pool/sessions/77.lock")));
        assertTrue(Files.exists(folder.resolve("pool/sessions/notes.txt")), "not ours");
    }

    /** A number whose file exists already was used before the node's memory lost it: it is skipped. */
    @Test
    void numberWithLockFileIsPassedOver() throws IOException {
        try (Fabric fabric = Fabric.open(url())) {
            int last;
            try (Session session = fabric.attach()) {
                last = session.number();
            }
            Files.createFile(folder.resolve("pool/sessions/" + (last + 1) + ".lock"));
            try (Session session = fabric.attach()) {
                assertEquals(last + 2, session.number());
            }
        }
    }

    /** Opening and closing a thousand times leaks no descriptor, no mapping and no file. */
    @Test
    void thousandOpeningsLeakNothing() throws IOException {
        Fabric.open(url()).close();
        int descriptors = descriptors();
        for (int i = 0; i < 1000; i++) {
            String url = i % 10 == 0 ? "shm:" + folder.resolve("pool-" + i) + "?nodes=2&mode=create" : url();
            try (Fabric fabric = Fabric.open(url)) {
                if (i % 10 == 0) fabric.control(0).createRegion(4096);
                fabric.attach();
            }
        }

        assertTrue(descriptors() <= descriptors + 5, "descriptors: " + descriptors + " then " + descriptors());
        assertEquals(0, mappingsOf(folder));
        assertEquals(0, lockFiles());
    }

    /** Offsets beyond 2^31 are real memory, at both ends of a second mapping too. */
    @Test
    void regionsLargerThanTwoGibibytesWork() throws IOException {
        Path shm = Path.of("/dev/shm");
        long needed = 6L << 30;
        assumeTrue(
                Files.isDirectory(shm)
                        && Files.getFileStore(shm).getUsableSpace() >= needed
                        && availableMemory() >= needed,
                "less than 6 GiB free in /dev/shm: a region of more than 2 GiB was not tried");
        Path place = Files.createTempDirectory(shm, "tidepool-test-");
        try (Fabric fabric = Fabric.open("shm:" + place.resolve("pool") + "?nodes=1");
                Fabric other = Fabric.open("shm:" + place.resolve("pool"))) {
            long bytes = (2L << 30) + (64L << 20);
            Id128 capability = fabric.control(0).createRegion(bytes);
            long[] places = {0, (1L << 31) - 8, 1L << 31, (1L << 31) + 8, bytes - 8};
            for (long at : places) put(fabric, 0, capability, at, at + 1);

            for (long at : places) assertEquals(at + 1, get(other, 0, capability, at));
            assertEquals(0, get(other, 0, capability, (1L << 31) + 4096));
            FabricException e = assertThrows(FabricException.class, () -> get(other, 0, capability, 1L << 33));
            assertEquals(Refusal.BOUNDS, e.refusal());
        } finally {
            try (var all = Files.walk(place)) {
                for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) Files.delete(path);
            }
        }
    }

    private Thread looping(Session session, Id128 counter, AtomicReference<FabricException> end) throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        Thread thread = Thread.ofPlatform().start(() -> {
            Lane lane = session.lane();
            Region region = lane.connect(0).open(counter);
            Round round = lane.round(200); // long rounds, so that a revocation or close comes in the middle of one
            MemorySegment landing = lane.landing(8);
            try {
                while (true) {
                    for (int i = 0; i < 200; i++) round.fetchAndAdd(region, 0, 1, landing, 0);
                    round.post().await();
                    running.countDown();
                }
            } catch (FabricException e) {
                end.set(e);
            }
        });
        running.await();
        return thread;
    }

    private static void closed(Executable use) {
        FabricException e = assertThrows(FabricException.class, use);
        assertEquals(Reason.CLOSED, e.reason(), e.getMessage());
    }

    private static void put(Fabric fabric, int node, Id128 capability, long offset, long word) {
        try (Session session = fabric.attach()) {
            Lane lane = session.lane();
            lane.round(1)
                    .write(lane.connect(node).open(capability), offset, word)
                    .post()
                    .await();
        }
    }

    private static long get(Fabric fabric, int node, Id128 capability, long offset) {
        try (Session session = fabric.attach()) {
            Lane lane = session.lane();
            MemorySegment landing = lane.landing(8);
            lane.round(1)
                    .read(lane.connect(node).open(capability), offset, 8, landing, 0)
                    .post()
                    .await();
            return landing.get(Words.U64, 0);
        }
    }

    private long lockFiles() throws IOException {
        try (var files = Files.list(folder.resolve("pool/sessions"))) {
            return files.count();
        }
    }

    private static int descriptors() throws IOException {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return (int) open.count();
        }
    }

    static long mappingsOf(Path path) throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(path.toString())).count();
        }
    }

    private static long availableMemory() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/meminfo"))) {
            String line =
                    lines.filter(l -> l.startsWith("MemAvailable:")).findFirst().orElse("MemAvailable: 0 kB");
            return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
        }
    }
}
