package tidepool.peers.net;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import tidepool.bench.net.RawTransport;
import tidepool.bench.net.RawTransportContract;

/** Netty carries all messages, over NIO and over its own epoll. */
class NettyTransportTest {
    @Nested
    class NioTest extends RawTransportContract {
        @Override
        protected RawTransport transport() {
            return new NettyTransport.Nio();
        }
    }

    @Nested
    class EpollTest extends RawTransportContract {
        @BeforeEach
        void onlyWhereItIs() {
            assumeTrue(Epoll.isAvailable(), "epoll is of Linux");
        }

        @Override
        protected RawTransport transport() {
            return new NettyTransport.Epoll();
        }
    }

    @Nested
    class EpollSpinTest extends RawTransportContract {
        @BeforeEach
        void onlyWhereItIs() {
            assumeTrue(Epoll.isAvailable(), "epoll is of Linux");
        }

        @Override
        protected RawTransport transport() {
            return new NettyTransport.EpollSpin();
        }
    }
}
