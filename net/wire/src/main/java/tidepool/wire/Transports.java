package tidepool.wire;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** A factory of transports over new sockets: plain, or TLS. */
public interface Transports {
    /** Returns the node's end of a connection. */
    Transport accepted(SocketChannel channel) throws IOException;

    /** Returns the client's end of a connection; {@code host} is the host that the client addresses. */
    Transport connected(SocketChannel channel, String host, int port) throws IOException;

    /** Transports without encryption. */
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
