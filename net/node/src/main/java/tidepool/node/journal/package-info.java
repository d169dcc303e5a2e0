/**
 * The state of a memory node on disk: a journal of changes, and checkpoints. The package has no sockets, and no threads
 * except those of {@link tidepool.node.journal.Journal}. {@code docs/operating/durability.md} describes its guarantees.
 */
package tidepool.node.journal;
