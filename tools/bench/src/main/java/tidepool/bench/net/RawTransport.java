package tidepool.bench.net;

/** A way to carry messages between two processes of one machine. Its classes have a constructor without arguments. */
public interface RawTransport {
    /** Listens on a free port of the loopback address. */
    Pong listen();

    Ping connect(int port);
}
