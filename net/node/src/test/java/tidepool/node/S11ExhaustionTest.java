package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Id128;
import tidepool.memory.AccessCode;
import tidepool.memory.NodeLayout;
import tidepool.node.journal.Durability;
import tidepool.node.journal.JournalOptions;
import tidepool.node.security.TokenFileAuthenticator;
import tidepool.testkit.PrivateFiles;
import tidepool.wire.ControlCode;
import tidepool.wire.ControlStatus;
import tidepool.wire.Frame;
import tidepool.wire.NodeStatus;
import tidepool.wire.Transports;
import tidepool.wire.tls.Tokens;

/**
 * S11, R4: clients without the right cannot use up the numbers, slots and entries of a pool, and neither can repeated
 * attaching and leaving.
 */
class S11ExhaustionTest {
    private static final String POOL = "bank";
    private static final String OPS = Tokens.random();
    private static final String TELLERS = Tokens.random();
    private static final String READERS = Tokens.random();
    private static final RawHandshake ADMIN = RawHandshake.of("ops", OPS);
    private static final RawHandshake TELLER = RawHandshake.of("teller", TELLERS);
    private static final RawHandshake READER = RawHandshake.of("reader", READERS);
    private static final int MANY = 100_000;
    private static final int BATCH = 1000;

    @TempDir
    private Path folder;

    private MemoryServer server;

    @BeforeEach
    void start() throws IOException {
        Path file = PrivateFiles.write(
                folder.resolve("credentials"),
                "ops " + OPS + " *:all\nteller " + TELLERS + " bank:read,write,call\nreader " + READERS
                        + " bank:read\n");
        server = MemoryServer.start(NodeOptions.onLoopback("memory-0", 0, 64L << 20)
                .withSecurity(TokenFileAuthenticator.open(file), Transports.PLAIN)
                .withDir(folder.resolve("node"))
                .withJournal(JournalOptions.of(Durability.STRICT)));
        ADMIN.enter(server, POOL).close();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void restart() throws IOException {
        server.close();
        start();
    }

    private NodeStatus.Pool pool() {
        return server.status().pools().getFirst();
    }

    private void awaitSlots(long expected) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (pool().slots() != expected && System.nanoTime() < deadline) Thread.onSpinWait();
        assertEquals(expected, pool().slots());
    }

    /** Attaches a session and leaves without a GOODBYE. Returns the answer to ATTACH. */
    private static RawClient.Answer comeAndGo(MemoryServer to, RawHandshake as, boolean opens) throws IOException {
        try (RawClient raw = as.enter(to, POOL)) {
            RawClient.Answer attached = raw.control(ControlCode.ATTACH, raw.nextSession(), 1, 2, 3);
            if (opens) raw.control(ControlCode.OPEN_LINK, 0);
            return attached;
        }
    }

    /** Lets sessions attach and leave in 16 threads, because each session waits for the disk. */
    private void manyComeAndGo(int times, RawHandshake as, boolean opens) throws InterruptedException {
        AtomicInteger left = new AtomicInteger(times);
        AtomicReference<Object> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 16; t++)
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    while (left.getAndDecrement() > 0 && failure.get() == null) {
                        RawClient.Answer attached = comeAndGo(server, as, opens);
                        if (attached.status() != 0) failure.set(attached.text());
                    }
                } catch (IOException e) {
                    failure.set(e);
                }
            }));
        for (Thread thread : threads) thread.join();
        assertNull(failure.get());
    }

    private void assertServed(RawHandshake as) throws IOException {
        try (RawClient raw = as.enter(server, POOL)) {
            long number = raw.nextSession();
            RawClient.Answer attached = raw.control(ControlCode.ATTACH, number, 7, 8, 9);
            assertEquals(0, attached.status(), () -> attached.text());
            assertEquals(0, raw.control(ControlCode.OPEN_LINK, 0).status());
            assertEquals(0, raw.control(ControlCode.DETACH, number, 7, 8).status());
        }
    }

    /**
     * A client with the smallest right asks for many numbers, attaches under arbitrary numbers, and never sends
     * GOODBYE.
     */
    @Test
    void whoMayOnlyReadUsesUpNothingAlsoAcrossARestart() throws IOException, InterruptedException {
        long numbers = pool().numbers();
        long[] liked = {8_388_606, 8_388_605, 8_388_607, 1, 5_000_000, 0, -1, Long.MAX_VALUE};
        for (long number : liked)
            try (RawClient raw = READER.enter(server, POOL)) {
                raw.control(ControlCode.ATTACH, number, 1, 2, 3);
                raw.control(ControlCode.OPEN_LINK, 0);
            }
        try (RawClient raw = READER.enter(server, POOL)) {
            byte[] ask = RawClient.frame(Frame.CONTROL, 1, 0, 1, RawClient.words(ControlCode.NEXT_SESSION));
            byte[] batch = new byte[BATCH * ask.length];
            for (int i = 0; i < BATCH; i++) System.arraycopy(ask, 0, batch, i * ask.length, ask.length);
            for (int sent = 0; sent < MANY; sent += BATCH) {
                raw.send(batch);
                for (int i = 0; i < BATCH; i++) raw.answer();
            }
        }
        manyComeAndGo(NodeLayout.SESSIONS + 100, READER, true);

        assertEquals(numbers, pool().numbers());
        assertEquals(0, pool().slots());
        for (int life = 0; life < 2; life++) {
            assertServed(READER);
            assertServed(TELLER);
            assertServed(ADMIN);
            assertTrue(pool().numbers() < 10, "numbers=" + pool().numbers());
            assertEquals(0, pool().slots());
            restart();
        }
    }

    /** A client with the right to read can do everything that this right allows. */
    @Test
    void aReaderReadsUnderTheNumberOfReaders() throws IOException {
        try (RawClient teller = TELLER.enter(server, POOL);
                RawClient reader = READER.enter(server, POOL)) {
            teller.control(ControlCode.ATTACH, teller.nextSession(), 1, 2, 3);
            teller.control(ControlCode.OPEN_LINK, 0);
            RawClient.Answer region = teller.control(ControlCode.CREATE_REGION, 4096);
            long handle = teller.control(ControlCode.OPEN_REGION, 0, region.word(0), region.word(1))
                    .word(0);
            teller.round(new Verbs().write(handle, 0, 42).flush());

            assertEquals(NodeLayout.READER_SESSION, reader.nextSession());
            assertEquals(
                    0,
                    reader.control(ControlCode.ATTACH, NodeLayout.READER_SESSION, 4, 5, 6)
                            .status());
            assertEquals(0, reader.control(ControlCode.OPEN_LINK, 0).status());
            long own = reader.control(ControlCode.OPEN_REGION, 0, region.word(0), region.word(1))
                    .word(0);
            assertEquals(42, reader.round(new Verbs().read(own, 0, 8)).word(0));
            assertEquals(
                    AccessCode.RIGHT,
                    reader.round(new Verbs().write(own, 0, 43)).status());
            assertEquals(1, reader.control(ControlCode.SESSIONS).count(), "the teller's alone");
        }
    }

    /** Only clients that may write attach, under given numbers only. Only administrators revoke a number to come. */
    @Test
    void onlyNumbersThatWereGivenOutComeIn() throws IOException {
        try (RawClient teller = TELLER.enter(server, POOL);
                RawClient ops = ADMIN.enter(server, POOL)) {
            long given = teller.nextSession();
            for (long number : new long[] {8_388_605, given + 1, given + 1000})
                for (RawClient raw : List.of(teller, ops)) {
                    RawClient.Answer refused = raw.control(ControlCode.ATTACH, number, 1, 2, 3);
                    assertEquals(ControlStatus.EPOCH, refused.status());
                    assertEquals(
                            "session " + number + " was not given out, or has left: ask for another one",
                            refused.text());
                }
            assertEquals(
                    ControlStatus.ARGUMENT,
                    teller.control(ControlCode.ATTACH, NodeLayout.READER_SESSION, 1, 2, 3)
                            .status());
            assertEquals(
                    ControlStatus.RIGHT,
                    teller.control(ControlCode.REVOKE, 8_388_000).status());
            assertEquals(
                    ControlStatus.ARGUMENT,
                    ops.control(ControlCode.REVOKE, NodeLayout.READER_SESSION).status());
            assertEquals(0, teller.control(ControlCode.ATTACH, given, 1, 2, 3).status());
            assertTrue(teller.nextSession() <= given + 1);
            assertEquals(0, ops.control(ControlCode.REVOKE, given + 50).status(), "as a restored backup does");
            assertTrue(ops.nextSession() > given + 50);
        }
    }

    /** The slot of a dead session that opened nothing is released at once, without a recovery. */
    @Test
    void writersThatOpenedNothingLeaveNoSlot() throws IOException, InterruptedException {
        manyComeAndGo(64, TELLER, false);
        awaitSlots(0);
        assertServed(TELLER);
    }

    /**
     * Dead writers wait for their recovery. When they hold all unreserved slots, an administrator can still attach and
     * recover them.
     */
    @Test
    void administratorsHaveSlotsWhenAllOthersAreTaken() throws IOException, InterruptedException {
        int others = NodeLayout.SESSIONS - NodeLayout.RESERVED_SLOTS;
        manyComeAndGo(others, TELLER, true);
        for (int life = 0; life < 2; life++) {
            awaitSlots(others);
            assertTrue(server.status().lowSupplies().stream()
                    .anyMatch(low -> low.what().equals("session slots")));
            RawClient.Answer refused = comeAndGo(server, TELLER, true);
            assertEquals(ControlStatus.FULL, refused.status());
            assertTrue(refused.text().contains("for administrators"), refused.text());
            assertServed(ADMIN);
            if (life == 0) restart();
        }
        try (RawClient ops = ADMIN.enter(server, POOL)) {
            RawClient.Answer listed = ops.control(ControlCode.SESSIONS);
            for (int i = 0; i < listed.count(); i++) {
                ops.control(ControlCode.REVOKE, listed.word(i));
                ops.control(ControlCode.FORGET, listed.word(i));
            }
        }
        awaitSlots(0);
        assertServed(TELLER);
        assertTrue(server.status().lowSupplies().isEmpty());
    }

    /** Sessions attach and leave 10^5 times: unused numbers are given out again, and slots are free again. */
    @Test
    void comingAndGoingForEverTakesNoSlots() {
        HostedPools pools = new HostedPools(
                NodeOptions.onLoopback("memory-1", 0, 64L << 20), new MemoryBudget(64L << 20), Runnable::run, 0);
        HostedPool pool = pools.create(POOL, new Id128(1, 2), 0, 1, 0);
        int first = pool.nextSession(0);
        assertTrue(pool.dropIfUnused(first));
        for (int i = 0; i < MANY; i++) {
            int number = pool.nextSession(i);
            assertEquals(first, number, "no client came under it");
            assertTrue(pool.dropIfUnused(number));
        }
        for (int i = 0; i < MANY; i++) {
            int number = pool.nextSession(i);
            HostedSession session = pool.attach(number, 1, 2, 3, NodeLayout.RESERVED_SLOTS, i);
            assertFalse(pool.dropIfUnused(number));
            assertTrue(pool.reclaim(session));
            assertFalse(pool.isGiven(number), "it has left");
        }
        assertEquals(0, pool.node().sessions().used());
        assertEquals(MANY, pool.node().usedNumbers());
        HostedSession touched = pool.attach(pool.nextSession(0), 1, 2, 3, 0, 0);
        pool.touch(touched.number());
        assertFalse(pool.reclaim(touched), "it may have left something");
        pools.release();
    }
}
