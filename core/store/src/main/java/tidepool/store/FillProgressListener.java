package tidepool.store;

/** Listener for the progress of filling copies, for operators. A call is cheap and may be frequent. */
public interface FillProgressListener {
    /** Ignores all progress. */
    FillProgressListener NONE = (partition, identity, done, all) -> {};

    /**
     * Called when another part of a copy is equal to its source.
     *
     * @param identity the member that is filled
     * @param done of {@code all}, in bytes; {@code all} when it is whole
     */
    void filled(int partition, String identity, long done, long all);
}
