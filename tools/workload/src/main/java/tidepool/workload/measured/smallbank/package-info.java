/** SmallBank as a measured workload. */
package tidepool.workload.measured.smallbank;
