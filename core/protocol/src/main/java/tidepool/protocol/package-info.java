/**
 * Transaction protocols, one package per paper: phases as rounds of verbs. A protocol is a {@link
 * tidepool.protocol.Coordinator} that makes {@link tidepool.txn.Txn}s, and a recovery that finishes or undoes the
 * transactions of a dead coordinator, from memory alone.
 */
package tidepool.protocol;
