/**
 * Workloads that are measured: what they load, what their clients do, and a check of the whole store afterwards that can
 * fail. Who runs them, how long, on which protocol and fabric is the runner's business.
 */
package tidepool.workload.measured;
