package tidepool.bench.net;

/** The answering end of a raw connection: one answer for each request, those that came together in one piece. */
public interface Pong extends AutoCloseable {
    /** What the other end needs to find it. */
    int port();

    /** Answers one connection after the other. Waits until it is closed by another thread, or the process ends. */
    void serve();

    @Override
    void close();
}
