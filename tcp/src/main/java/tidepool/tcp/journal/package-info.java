/**
 * What a memory node keeps on disk: a journal of what changed, and checkpoints. No sockets, and no threads but those of
 * {@link tidepool.tcp.journal.Journal}. {@code docs/durability.md} says what it is good for.
 */
package tidepool.tcp.journal;
