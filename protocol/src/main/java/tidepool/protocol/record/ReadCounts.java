package tidepool.protocol.record;

/** What a coordinator has met while it read records. Plain numbers of one strand, for those who ask what a test reached. */
public final class ReadCounts {
    /** Bodies that were not one writer's image, or not the one whose version was sampled behind them. */
    public long tornReads;

    /** Records that were written and not yet visible. */
    public long markedReads;

    /** Records that somebody else had locked. */
    public long lockedReads;

    /** Of those, records that were read all the same, because their holders commit behind the snapshot; not in lockedReads. */
    public long passedLocks;

    /** Records that were read from a backup. */
    public long backupReads;

    ReadCounts() {}
}
