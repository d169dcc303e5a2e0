package tidepool.bench.net;

/** The asking end of a raw connection. Used by one thread. */
public interface Ping extends AutoCloseable {
    /**
     * Sends {@code messages} requests as one and waits for all their answers, {@code trips} times. Each request carries
     * the next number, and the answer has to return it.
     *
     * @return the number in the last answer
     */
    long exchange(int trips, int messages);

    /** Returns the thread that sends and receives, whose memory is counted. */
    default Thread worker() {
        return Thread.currentThread();
    }

    @Override
    void close();
}
