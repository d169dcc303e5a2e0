package tidepool.tcp.journal;

/**
 * Where a journal ends: what its node has acknowledged, or what an administrator said about it.
 *
 * @param life in which it was written
 * @param sequence the last block that was acknowledged
 * @param checksum of that block
 */
record EndRecord(State state, long life, long sequence, long checksum) {
    /** How the journal ended. The ordinals are on disk. */
    enum State {
        /** The node was running. */
        OPEN,
        /** The life ended in order: nothing comes after this block. */
        CLOSED,
        /** An administrator accepted that what came after this block is lost. */
        BELIEVED,
        /** An administrator said that other copies are newer. */
        DISBELIEVED
    }
}
