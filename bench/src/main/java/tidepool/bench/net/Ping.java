package tidepool.bench.net;

/** The asking end of a raw connection. For one thread. */
public interface Ping extends AutoCloseable {
    /**
     * Sends so many requests as one and waits for all their answers, so many times. Each request carries the next number,
     * and the answer has to bring it back.
     *
     * @return the number in the last answer
     */
    long exchange(int trips, int messages);

    /** The thread that sends and receives, whose memory is counted. */
    default Thread worker() {
        return Thread.currentThread();
    }

    @Override
    void close();
}
