package tidepool.lab;

import java.util.List;
import tidepool.workload.measured.MeasuredWorkload;

/**
 * A pool to be measured: memory nodes that all hold every table, its primary on one and its backups on the others, and
 * one compute machine (FORD §6.1 with two nodes, Motor §7.1 with three).
 *
 * @param protocol with its switches, {@code ford?reads=backup}
 * @param workload the workload that is loaded and run
 * @param homes the node of each table's primary, in the order of the workload's tables
 * @param nodes memory nodes, and copies of everything
 * @param profile all costs
 * @param maxCoordinators the highest number of coordinators at once, over all samples
 * @param seed of all random choices
 */
record Setup(
        String protocol,
        MeasuredWorkload workload,
        List<Integer> homes,
        int nodes,
        LabProfile profile,
        int maxCoordinators,
        long seed) {
    /** Makes a setup with two nodes, as in the FORD paper. */
    Setup(
            String protocol,
            MeasuredWorkload workload,
            List<Integer> homes,
            LabProfile profile,
            int maxCoordinators,
            long seed) {
        this(protocol, workload, homes, 2, profile, maxCoordinators, seed);
    }
}
