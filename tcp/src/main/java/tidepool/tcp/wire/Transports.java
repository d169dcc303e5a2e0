package tidepool.tcp.wire;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** Makes the transport over a fresh socket: plain, or TLS. */
public interface Transports {
    /** The node's end of a connection. */
    Transport accepted(SocketChannel channel) throws IOException;

    /** The client's end; {@code host} is whom it means to talk to. */
    Transport connected(SocketChannel channel, String host, int port) throws IOException;

    /** Nothing between the frames and the socket. */
    Transports PLAIN = new Transports() {
        @Override
        public Transport accepted(SocketChannel channel) {
            return new PlainTransport(channel);
        }

        @Override
        public Transport connected(SocketChannel channel, String host, int port) {
            return new PlainTransport(channel);
        }
    };
}
