/** The core workloads of YCSB. */
package tidepool.workload.measured.ycsb;
