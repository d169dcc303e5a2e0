/** SmallBank as it is measured. */
package tidepool.workload.measured.smallbank;
