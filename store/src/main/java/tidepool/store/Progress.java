package tidepool.store;

/** Where whoever fills copies says how far it is, for those who run the pool. Costs little, may be called often. */
public interface Progress {
    /** For fillings that nobody looks at. */
    Progress NONE = (partition, identity, done, all) -> {};

    /**
     * So much of a copy is equal now.
     *
     * @param identity the member that is filled
     * @param done of {@code all}, in bytes; {@code all} when it is whole
     */
    void filled(int partition, String identity, long done, long all);
}
