package tidepool.bench.ordered;

/**
 * A store of pairs of bytes in the order of the keys, compared as unsigned numbers, with serializable transactions. An
 * implementation has a public constructor that takes {@link OrderedStoreOptions}.
 */
public interface OrderedStore extends AutoCloseable {
    /** Returns a session for the calling thread. */
    OrderedSession session();

    /** Returns its settings in a few words, for the report. */
    String settings();

    @Override
    void close();
}
