/**
 * Transactions on fields and offsets, the layer below records: {@link tidepool.txn.Txn} and what it takes and returns.
 * Protocols implement it, and a {@code tidepool.Worker} hands it to the application.
 */
package tidepool.txn;
