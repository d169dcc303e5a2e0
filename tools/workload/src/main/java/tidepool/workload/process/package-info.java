/** Processes that programs start, and waits for them. Every wait has a limit. */
package tidepool.workload.process;
