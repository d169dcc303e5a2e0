/**
 * TPC-C (revision 5.11) on records: nine tables of the specification, with indexes or with three tables that replace
 * them, all five transactions, and the twelve consistency conditions as the check. {@code
 * docs/benchmarks/workloads/tpcc.md} has the tables.
 */
package tidepool.workload.measured.tpcc;
