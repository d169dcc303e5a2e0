/** The telecom benchmark TATP. */
package tidepool.workload.measured.tatp;
