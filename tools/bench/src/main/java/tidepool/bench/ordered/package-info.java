/**
 * Workloads with scans on stores whose keys are in order: rows and entries of indexes are pairs of bytes, and
 * {@link tidepool.bench.ordered.OrderedTxn} is our own transaction on them. A store implements
 * {@link tidepool.bench.ordered.OrderedStore}.
 */
package tidepool.bench.ordered;
