/**
 * Ordered indexes: a B-link tree whose nodes are rows of a hidden table, after Sherman. A node is read, locked, logged,
 * recovered and copied like any row, so every protocol has ordered indexes. Nothing below {@link tidepool.txn.Txn}
 * knows of them.
 */
package tidepool.protocol.ordered;
