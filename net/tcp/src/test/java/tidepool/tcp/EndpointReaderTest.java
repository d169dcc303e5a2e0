package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import tidepool.base.Clock;
import tidepool.wire.AdaptiveSpin;

/** A thread that waits for answers notices a call to wake, even one that came just before it began to wait. */
final class EndpointReaderTest {
    /** A call that is missed shows only when the wait ends by itself, after 100 ms. */
    private static final long HEARD_NANOS = 50_000_000;

    private static final long LONG_NANOS = 10_000_000_000L;
    private static final int TRIES = 10;

    private final Clock clock = Clock.system();
    private final EndpointReader reader = new EndpointReader(
            null, new NodeConnection[1], null, null, AdaptiveSpin.of(1_000_000), EndpointReader.MAX_SELECT_NANOS);

    @Test
    void aCallBeforeTheWaitOfACarrierEndsIt() throws IOException {
        assertTrue(shortest(reader::waitFor) < HEARD_NANOS);
    }

    @Test
    void aCallBeforeTheWaitOfOneWhoReadsForAllEndsIt() throws IOException {
        assertTrue(shortest(reader::readFor) < HEARD_NANOS);
    }

    /**
     * Returns the shortest of some waits, because the machine may pause in any of them. Each wait reads its sockets
     * before it sleeps.
     */
    private long shortest(LongConsumer wait) throws IOException {
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            reader.wake();
            long began = clock.nowNanos();
            wait.accept(LONG_NANOS);
            shortest = Math.min(shortest, clock.nowNanos() - began);
        }
        reader.close();
        return shortest;
    }
}
