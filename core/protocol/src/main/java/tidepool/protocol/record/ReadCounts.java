package tidepool.protocol.record;

/** Counters of what a coordinator met while it read records. Plain fields of one strand, for tests of coverage. */
public final class ReadCounts {
    /** Bodies that were not one writer's image, or not the image whose version was sampled after them. */
    public long tornReads;

    /** Records that were written and not yet visible. */
    public long markedReads;

    /** Records that another transaction had locked. */
    public long lockedReads;

    /**
     * Locked records that were read anyway, because the holder commits after the snapshot; not counted in lockedReads.
     */
    public long passedLocks;

    /** Records that were read from a backup. */
    public long backupReads;

    ReadCounts() {}
}
