/**
 * Runs workloads that record a history, on any fabric: in threads of this process, in processes of this machine of
 * which some are killed, or on machines of the simulator, from one seed.
 */
package tidepool.workload.recorded;
