/** Timestamps of transactions, for protocols that keep several versions: {@link tidepool.protocol.time.Timestamps}. */
package tidepool.protocol.time;
