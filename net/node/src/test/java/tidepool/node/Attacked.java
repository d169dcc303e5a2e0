package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import tidepool.base.Checksum64;
import tidepool.wire.ControlCode;
import tidepool.wire.Frame;

/**
 * A node under attack, with an honest client that uses it meanwhile. The attack must leave every byte of the pool as it
 * was, be counted, end its own connection, and not disturb the honest client.
 */
final class Attacked implements AutoCloseable {
    static final int REGION = 64 << 10;
    static final String POOL = "bank";

    final MemoryServer server;
    final RawClient control;
    final RawClient friend;
    final long handle;
    final long capabilityHigh;
    final long capabilityLow;
    private final long hash;

    /** Starts a node on loopback without credentials. */
    Attacked() throws IOException {
        this(NodeOptions.onLoopback("memory-0", 0, 64L << 20), RawHandshake.ANONYMOUS);
    }

    /** @param friend credentials of the honest client, which the node accepts with all rights */
    Attacked(NodeOptions options, RawHandshake friend) throws IOException {
        server = MemoryServer.start(options);
        control = friend.enter(server, POOL);
        this.friend = friend.enter(server, POOL);
        this.friend.control(ControlCode.ATTACH, control.nextSession(), 1, 2, 3);
        this.friend.control(ControlCode.OPEN_LINK, 0);
        RawClient.Answer created = this.friend.control(ControlCode.CREATE_REGION, REGION);
        capabilityHigh = created.word(0);
        capabilityLow = created.word(1);
        handle = this.friend
                .control(ControlCode.OPEN_REGION, 0, capabilityHigh, capabilityLow)
                .word(0);
        this.friend.control(ControlCode.CREATE_REGION, REGION); // a neighbouring region that is never opened
        long[] poison = new long[1024];
        for (int at = 0; at < REGION; at += 8 * poison.length) {
            for (int i = 0; i < poison.length; i++) poison[i] = 0xdead_beef_0000_0000L + at + i;
            this.friend.round(new Verbs().write(handle, at, poison));
        }
        hash = hash();
    }

    /** Opens a connection of an attacker that is authenticated and has link 0 open, and nothing else. */
    RawClient insider(RawHandshake as) throws IOException {
        RawClient raw = as.enter(server, POOL);
        raw.control(ControlCode.ATTACH, raw.nextSession(), 4, 5, 6);
        raw.control(ControlCode.OPEN_LINK, 0);
        return raw;
    }

    long count(NodeCounter counter) {
        return server.counters().value(counter);
    }

    /** Waits until the counter has reached {@code times}, because the attack may still be in flight. */
    void awaitCount(NodeCounter counter, long times) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (count(counter) < times && System.nanoTime() < deadline) Thread.onSpinWait();
        assertEquals(times, count(counter), counter.label());
    }

    /** Asserts that the attacker's connection is closed. If a refusal came first, it must have this code. */
    static void assertCut(RawClient attacker, int code) throws IOException {
        RawClient.Answer last = attacker.readOrEnd();
        while (last != null && last.kind() != Frame.REFUSED) last = attacker.readOrEnd();
        if (last == null) return;
        assertEquals(code, last.status(), last.text());
        assertNull(attacker.readOrEnd());
    }

    /** Asserts that all memory is unchanged, the honest client is served, and the node had no internal error. */
    void assertUnharmed() throws IOException {
        assertEquals(hash, hash(), "every byte of the pool is as it was");
        assertEquals(0, count(NodeCounter.INTERNAL_ERRORS));
        assertTrue(server.status().toText().contains("client "));
    }

    private long hash() throws IOException {
        long sum = Checksum64.start(1);
        for (int at = 0; at < REGION; at += 8192) {
            RawClient.Answer read = friend.round(new Verbs().read(handle, at, 8192));
            assertEquals(0, read.status());
            for (int i = 0; i < 1024; i++) sum = Checksum64.mix(sum, read.word(i));
        }
        for (long word : regions()) sum = Checksum64.mix(sum, word);
        return sum;
    }

    private long[] regions() throws IOException {
        RawClient.Answer answer = control.control(ControlCode.REGIONS);
        long[] words = new long[answer.count()];
        for (int i = 0; i < words.length; i++) words[i] = answer.word(i);
        return words;
    }

    @Override
    public void close() throws IOException {
        friend.close();
        control.close();
        server.close();
    }
}
