/**
 * YCSB's workloads A and C on any store: read one record, or replace one. What a contender has to offer is
 * {@link tidepool.bench.ycsb.KeyStore} and {@link tidepool.bench.ycsb.Clerk}; what all of them do is
 * {@link tidepool.bench.ycsb.KeyStoreContract}.
 */
package tidepool.bench.ycsb;
