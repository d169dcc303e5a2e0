package tidepool.tcp.node;

/** Is told that what the journal was told is kept, or that it is not, because the disk is full. */
@FunctionalInterface
interface KeptListener {
    void kept(boolean kept);
}
