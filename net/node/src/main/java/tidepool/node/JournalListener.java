package tidepool.node;

/** Called when a journal ticket is kept (true), or is not kept because the disk is full (false). */
@FunctionalInterface
interface JournalListener {
    void kept(boolean kept);
}
