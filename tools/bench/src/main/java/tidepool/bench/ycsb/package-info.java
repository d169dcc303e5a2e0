/**
 * YCSB's workloads A to C on any store: read one record, or replace one. A contender implements
 * {@link tidepool.bench.ycsb.KeyStore} and {@link tidepool.bench.ycsb.Clerk};
 * {@code KeyStoreContract}, in test scope, is the contract of all. Workload E, scans and inserts, takes
 * {@link tidepool.bench.ycsb.RangeClerk}, and {@code RangeStoreContract}.
 */
package tidepool.bench.ycsb;
