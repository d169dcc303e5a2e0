package tidepool.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of every raw transport: each request is answered, in order, for any number of requests sent together.
 */
@Timeout(60)
public abstract class RawTransportContract {
    /** Returns a new transport for each end, as each process has its own. */
    protected abstract RawTransport transport();

    /** The number in the last answer is that of the last request: no request was lost, none arrived twice. */
    @Test
    void everyRequestIsAnswered() {
        try (Pong pong = transport().listen()) {
            Thread.ofPlatform().daemon().start(pong::serve);
            try (Ping ping = transport().connect(pong.port())) {
                assertEquals(3, ping.exchange(3, 1));
                assertEquals(3 + 200 * 64, ping.exchange(200, 64));
                assertEquals(3 + 200 * 64 + Message.MAX_UNDER_WAY, ping.exchange(1, Message.MAX_UNDER_WAY));
            }
        }
    }
}
