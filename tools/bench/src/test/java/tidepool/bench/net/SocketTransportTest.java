package tidepool.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Plain sockets answer, in whichever way they wait, and take one connection after the other. */
class SocketTransportTest {
    @Nested
    class SpinTest extends RawTransportContract {
        @Override
        protected RawTransport transport() {
            return new SocketTransport.Spin();
        }
    }

    @Nested
    class SelectTest extends RawTransportContract {
        @Override
        protected RawTransport transport() {
            return new SocketTransport.Select();
        }
    }

    @Nested
    class BlockingTest extends RawTransportContract {
        @Override
        protected RawTransport transport() {
            return new SocketTransport.Blocking();
        }
    }

    /** Between samples the connection is closed, so that the end that spins may sleep; then there is a new one. */
    @Test
    void afterOneConnectionComesTheNext() {
        RawTransport transport = new SocketTransport.Spin();
        try (Pong pong = transport.listen()) {
            Thread.ofPlatform().daemon().start(pong::serve);
            for (int i = 0; i < 3; i++)
                try (Ping ping = transport.connect(pong.port())) {
                    assertEquals(5, ping.exchange(5, 1));
                }
        }
    }
}
