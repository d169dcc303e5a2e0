package tidepool.bench.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** Plain sockets of the JDK, without delay; both ends wait in the same way. */
public sealed interface SocketTransport extends RawTransport {
    /** Asks the socket again and again. */
    record Spin() implements SocketTransport {
        @Override
        public Waiting over(SocketChannel channel) throws IOException {
            channel.configureBlocking(false);
            return Thread::onSpinWait;
        }
    }

    /** Sleeps in a selector until there is something. */
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
                    // The selector has told a lie, and is asked again.
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

    /** How an end waits for bytes. */
    interface Waiting {
        default void beforeRead() throws IOException {
            // Reads at once.
        }

        /** A read brought nothing. */
        void nothing();
    }

    /** Sets the channel up for waiting in this way. */
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
