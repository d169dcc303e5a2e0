package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import tidepool.base.Clock;
import tidepool.base.Id128;
import tidepool.tcp.secure.Rights;
import tidepool.tcp.wire.Frame;
import tidepool.tcp.wire.Outlasts;
import tidepool.tcp.wire.Patience;
import tidepool.tcp.wire.Transport;

/** Row T1: what clocks that drift, jump or stand still do to whom a session believes. */
class FreshnessTest {
    private static final long LEASE = 2_000_000_000L;

    /** Of three nodes two shut the session out at 0; the third, which is removed, answers all the time. */
    private static Freshness shutOutAt(long clock) {
        Freshness freshness = new Freshness(3, LEASE);
        for (int node = 0; node < 3; node++) freshness.heard(node, clock - 1);
        return freshness;
    }

    @Test
    void theOldestWordCounts() {
        Freshness freshness = shutOutAt(0);
        freshness.heard(2, LEASE); // the removed node does not help
        freshness.heard(0, -5); // an answer that was late does not take anything back
        assertFalse(freshness.isOver(LEASE - 1));
        assertTrue(freshness.isOver(LEASE));
        assertFalse(Freshness.FOR_EVER.isOver(Long.MAX_VALUE), "without a roster nobody is removed");
        assertFalse(new Freshness(3, LEASE).isOver(LEASE), "who has not entered everywhere does nothing");
    }

    /** Whoever removes the node waits for the lease and a twentieth on its own clock, before anybody writes. */
    @Test
    void nobodyIsBelievedWhenTheNewEpochOpensAsLongAsClocksKeepTheBound() {
        for (long begin : new long[] {0, 77, Long.MAX_VALUE - LEASE / 2, Long.MIN_VALUE}) // clocks may come round
        for (int perMille = -40; perMille <= 1000; perMille += 20) {
                Freshness freshness = shutOutAt(begin);
                long waited = LEASE + LEASE / 20;
                long ours = begin + waited + waited / 1000 * perMille; // a fast clock only gives up earlier
                assertTrue(freshness.isOver(ours), "the client's clock is off by " + perMille + " of 1000");
            }
        long ours = LEASE + LEASE / 20 - (LEASE + LEASE / 20) / 10;
        assertFalse(shutOutAt(0).isOver(ours), "a tenth is too much, and the bound is needed: docs/reliability.md");
    }

    @Test
    void aClockThatJumpsAheadCostsTheSessionAndNothingElse() {
        Freshness freshness = shutOutAt(0);
        assertTrue(freshness.isOver(LEASE * 1000));
        for (int node = 0; node < 3; node++) freshness.heard(node, LEASE * 1000);
        assertFalse(freshness.isOver(LEASE * 1000 + 1), "all were heard again");
        assertFalse(freshness.isOver(LEASE * 1001));
    }

    /** What arrives when some node has not been heard for the lease is not believed, and breaks its connection. */
    @Test
    void whatArrivesTooLateIsNotLanded() throws IOException {
        long now = Clock.system().nowNanos();
        assertTrue(answered(now).isDone(), "all nodes were heard just now");
        ControlCall late = answered(now - 2 * LEASE);
        assertFalse(late.isDone());
        assertEquals(-1, late.status);
    }

    /** A call on a connection of a session whose nodes were all heard at that time, and the node's reply to it. */
    private static ControlCall answered(long heardNanos) throws IOException {
        Freshness freshness = new Freshness(2, LEASE);
        for (int node = 0; node < 2; node++) freshness.heard(node, heardNanos);
        ByteBuffer said = ByteBuffer.wrap(FakeNode.frame(Frame.REPLY, 1, 0, 1, FakeNode.words(5)));
        Wire wire = new Wire(
                0,
                new Said(said),
                new Welcome("node", new Id128(1, 2), 1, 1 << 16, 16, LEASE, Rights.ALL, Outlasts.POWER),
                new Port(1, LEASE, Patience.of(0), null, new Suspects(), () -> {}).answers());
        wire.freshness(freshness);
        ControlCall call = new ControlCall(1);
        call.begin();
        wire.control(call);
        call.allSent();
        wire.flights.show();
        wire.receive();
        assertEquals(call.isDone(), wire.isUp(), wire.why());
        return call;
    }

    /** A connection on which these bytes have arrived. */
    private record Said(ByteBuffer bytes) implements Transport {
        @Override
        public int read(ByteBuffer into) {
            int before = bytes.remaining();
            while (bytes.hasRemaining() && into.hasRemaining()) into.put(bytes.get());
            return before - bytes.remaining();
        }

        @Override
        public int write(ByteBuffer from) {
            int taken = from.remaining();
            from.position(from.limit());
            return taken;
        }

        @Override
        public boolean wantsFlush() {
            return false;
        }

        @Override
        public void flush() {}

        @Override
        public boolean hasBuffered() {
            return false;
        }

        @Override
        public SocketChannel channel() {
            return null;
        }

        @Override
        public void close() {}
    }
}
