/**
 * Runs workloads that write a history, on any fabric: threads of this process, processes of this machine of which some
 * are killed, or machines of the simulator, from one seed.
 */
package tidepool.workload.recorded;
