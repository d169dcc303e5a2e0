/**
 * Whole clusters in the simulator: machines that run transactions and die, others that recover them, and the checks
 * that nothing was lost, torn, doubled or seen too early. A run follows from its seed alone.
 */
package tidepool.clusters;
