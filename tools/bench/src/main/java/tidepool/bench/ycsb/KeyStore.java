package tidepool.bench.ycsb;

/**
 * A store with a record for each key from 0 up, all of equal length. {@link Stamp} writes the records, so a reader can
 * tell whether a record is whole.
 *
 * <p>An implementation has a public constructor that takes {@link KeyStoreOptions}. It begins with stamp 0 in every
 * record; loading is not measured.
 */
public interface KeyStore extends AutoCloseable {
    /** Returns a clerk for the calling thread. */
    Clerk clerk();

    /** Returns its settings in a few words, for the report. */
    String settings();

    @Override
    void close();
}
