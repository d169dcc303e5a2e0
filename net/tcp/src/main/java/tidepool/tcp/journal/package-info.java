/**
 * The state of a memory node on disk: a journal of changes, and checkpoints. The package has no sockets, and no threads
 * except those of {@link tidepool.tcp.journal.Journal}. {@code docs/operating/durability.md} describes its guarantees.
 */
package tidepool.tcp.journal;
