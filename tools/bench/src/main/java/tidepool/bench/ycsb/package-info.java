/**
 * YCSB's workloads A and C on any store: read one record, or replace one. A contender implements
 * {@link tidepool.bench.ycsb.KeyStore} and {@link tidepool.bench.ycsb.Clerk};
 * {@code KeyStoreContract}, in test scope, is the contract of all.
 */
package tidepool.bench.ycsb;
