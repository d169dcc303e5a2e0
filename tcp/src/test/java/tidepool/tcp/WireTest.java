package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import tidepool.base.Clock;
import tidepool.base.Id128;
import tidepool.tcp.secure.Rights;
import tidepool.tcp.wire.Outlasts;

class WireTest {
    private static final long SECOND = 1_000_000_000;

    /** A connection that nobody used for an hour is not a silent node, and a process that stood still has not asked. */
    @Test
    void aNodeIsSilentFromWhenItIsKnownToOweSomething() {
        Wire wire = new Wire(
                0,
                null,
                new Welcome("node", new Id128(1, 2), 1, 1 << 16, 16, SECOND, Rights.ALL, Outlasts.POWER),
                null);
        long now = Clock.system().nowNanos() + 3600 * SECOND;
        assertEquals(0, wire.silentNanos(now));

        wire.flights.next().set(null, null, 1);
        wire.flights.added();

        assertEquals(0, wire.silentNanos(now + 10 * SECOND));
        assertEquals(2 * SECOND, wire.silentNanos(now + 12 * SECOND));
        wire.flights.taken();
        assertEquals(0, wire.silentNanos(now + 13 * SECOND));
    }
}
