package tidepool.bench.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** Plain sockets of the JDK, without delay. Both ends wait in one way. */
public sealed interface SocketTransport extends RawTransport {
    /** Polls the socket without pause. */
    record Spin() implements SocketTransport {
        @Override
        public Waiting over(SocketChannel channel) throws IOException {
            channel.configureBlocking(false);
            return Thread::onSpinWait;
        }
    }

    /** Sleeps in a selector until the socket is readable. */
    record Select() implements SocketTransport {
        @Override
        public Waiting over(SocketChannel channel) throws IOException {
            channel.configureBlocking(false);
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new Waiting() {
                @Override
                public void beforeRead() throws IOException {
                    selector.select(key -> {});
                }

                @Override
                public void nothing() {
                    // A spurious wake-up; the selector is asked again.
                }
            };
        }
    }

    /** Sleeps in the read itself. */
    record Blocking() implements SocketTransport {
        @Override
        public Waiting over(SocketChannel channel) {
            return () -> {
                throw new IllegalStateException("a blocking read brought nothing");
            };
        }
    }

    /** The way in which an end waits for bytes. */
    interface Waiting {
        default void beforeRead() throws IOException {
            // Reads at once.
        }

        /** Called when a read returned no bytes. */
        void nothing();
    }

    /** Configures the channel for waiting in this way. */
    Waiting over(SocketChannel channel) throws IOException;

    @Override
    default Pong listen() {
        try {
            return new SocketPong(this);
        } catch (IOException e) {
            throw new UncheckedIOException("no port could be taken: " + e.getMessage(), e);
        }
    }

    @Override
    default Ping connect(int port) {
        try {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new SocketPing(channel, over(channel));
        } catch (IOException e) {
            throw new UncheckedIOException("nobody answers: " + e.getMessage(), e);
        }
    }
}
