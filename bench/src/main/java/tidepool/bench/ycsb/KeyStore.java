package tidepool.bench.ycsb;

/**
 * A contender of the race: a store with a record for each key from 0 up, all of the same length. A record is what
 * {@link Stamp} writes: whoever reads one can tell whether it is whole.
 *
 * <p>An implementation has a public constructor that takes {@link KeyStoreOptions}. It begins with stamp 0 in every record;
 * loading is not measured.
 */
public interface KeyStore extends AutoCloseable {
    /** Works for one thread, which is the one that calls. */
    Clerk clerk();

    /** In a few words, what was set; it stands in the report. */
    String settings();

    @Override
    void close();
}
