/**
 * Measured workloads: their load, their clients, and a check of the whole store afterwards that can fail. The runner
 * chooses threads, time, protocol and fabric.
 */
package tidepool.workload.measured;
