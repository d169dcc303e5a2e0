package tidepool.lab;

import java.util.List;
import tidepool.workload.measured.MeasuredWorkload;

/**
 * A pool to be measured: two memory nodes, each table with its primary on one and its backup on the other, and one
 * compute machine (FORD §6.1).
 *
 * @param protocol with its switches, {@code ford?reads=backup}
 * @param workload what is loaded and run
 * @param homes the node of each table's primary, in the order of the workload's tables
 * @param profile what everything costs
 * @param most coordinators at once, over all samples
 * @param seed of everything that is drawn
 */
record Setup(
        String protocol, MeasuredWorkload workload, List<Integer> homes, LabProfile profile, int most, long seed) {}
