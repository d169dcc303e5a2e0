package tidepool.bench.net;

/**
 * The answering end of a raw connection. It sends one answer for each request; requests that arrived together are
 * answered in one piece.
 */
public interface Pong extends AutoCloseable {
    /** Returns the port by which the other end finds it. */
    int port();

    /** Answers one connection after the other. Returns when another thread closes it, or the process ends. */
    void serve();

    @Override
    void close();
}
