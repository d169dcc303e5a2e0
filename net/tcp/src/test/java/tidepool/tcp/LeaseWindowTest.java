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
import tidepool.wire.AdaptiveSpin;
import tidepool.wire.FlushGuarantee;
import tidepool.wire.Frame;
import tidepool.wire.Transport;
import tidepool.wire.tls.Rights;

/** Row T1: clocks that drift, jump or stop, and whether a session still accepts answers. */
class LeaseWindowTest {
    private static final long LEASE = 2_000_000_000L;

    /**
     * Returns the window of a session that all three nodes have answered just before {@code clock}. Two nodes revoke it
     * at that time; the third, which is removed, keeps answering.
     */
    private static LeaseWindow shutOutAt(long clock) {
        LeaseWindow lease = new LeaseWindow(3, LEASE);
        for (int node = 0; node < 3; node++) lease.heard(node, clock - 1);
        return lease;
    }

    @Test
    void theOldestWordCounts() {
        LeaseWindow lease = shutOutAt(0);
        lease.heard(2, LEASE); // answers of the removed node do not extend the window
        lease.heard(0, -5); // a late answer does not shorten the window
        assertFalse(lease.isOver(LEASE - 1));
        assertTrue(lease.isOver(LEASE));
        assertFalse(LeaseWindow.FOR_EVER.isOver(Long.MAX_VALUE), "without a roster nobody is removed");
        assertFalse(new LeaseWindow(3, LEASE).isOver(LEASE), "who has not entered everywhere does nothing");
    }

    /**
     * The process that removes the node waits for the lease and a twentieth on its own clock before any session writes.
     */
    @Test
    void removedNodesAreNotBelievedWhenTheNewEpochOpensAsLongAsClocksKeepTheBound() {
        for (long begin : new long[] {0, 77, Long.MAX_VALUE - LEASE / 2, Long.MIN_VALUE}) // clocks may overflow
        for (int perMille = -40; perMille <= 1000; perMille += 20) {
                LeaseWindow lease = shutOutAt(begin);
                long waited = LEASE + LEASE / 20;
                long ours = begin + waited + waited / 1000 * perMille; // a fast clock only ends the window earlier
                assertTrue(lease.isOver(ours), "the client's clock is off by " + perMille + " of 1000");
            }
        long ours = LEASE + LEASE / 20 - (LEASE + LEASE / 20) / 10;
        assertFalse(
                shutOutAt(0).isOver(ours),
                "a tenth is too much, and the bound is needed: docs/operating/reliability.md");
    }

    @Test
    void aClockThatJumpsAheadCostsTheSessionAndNothingElse() {
        LeaseWindow lease = shutOutAt(0);
        assertTrue(lease.isOver(LEASE * 1000));
        for (int node = 0; node < 3; node++) lease.heard(node, LEASE * 1000);
        assertFalse(lease.isOver(LEASE * 1000 + 1), "all were heard again");
        assertFalse(lease.isOver(LEASE * 1001));
    }

    /**
     * An answer that arrives when some node has not been heard for the lease is not accepted, and breaks its
     * connection.
     */
    @Test
    void whatArrivesTooLateIsNotLanded() throws IOException {
        long now = Clock.system().nowNanos();
        assertTrue(answered(now).isDone(), "all nodes were heard just now");
        ControlCall late = answered(now - 2 * LEASE);
        assertFalse(late.isDone());
        assertEquals(-1, late.status);
    }

    /**
     * Returns a call to which the node has replied, on a connection of a session that all nodes answered at
     * {@code heardNanos}.
     */
    private static ControlCall answered(long heardNanos) throws IOException {
        LeaseWindow lease = new LeaseWindow(2, LEASE);
        for (int node = 0; node < 2; node++) lease.heard(node, heardNanos);
        ByteBuffer said = ByteBuffer.wrap(FakeNode.frame(Frame.REPLY, 1, 0, 1, FakeNode.words(5)));
        NodeConnection connection = new NodeConnection(
                0,
                new Said(said),
                new WelcomeMessage("node", new Id128(1, 2), 1, 1 << 16, 16, LEASE, Rights.ALL, FlushGuarantee.POWER),
                new Endpoint(1, LEASE, AdaptiveSpin.of(0), null, new SuspectedSessions(), () -> {}).listener());
        connection.leaseWindow(lease);
        ControlCall call = new ControlCall(1);
        call.begin();
        connection.control(call);
        call.allSent();
        connection.flights.show();
        connection.receive();
        assertEquals(call.isDone(), connection.isUp(), connection.why());
        return call;
    }

    /** A transport on which these bytes have arrived. */
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
