/** The key-value micro-benchmark of the papers. */
package tidepool.workload.measured.kvs;
