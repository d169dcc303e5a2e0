package tidepool.node.journal;

/**
 * The recorded end of a journal: the last block that its node has acknowledged, or the decision of an administrator.
 *
 * @param life the life in which the record was written
 * @param sequence the last block that was acknowledged
 * @param checksum of that block
 */
record EndRecord(State state, long life, long sequence, long checksum) {
    /** The way in which the journal ended. The ordinals are on disk. */
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
