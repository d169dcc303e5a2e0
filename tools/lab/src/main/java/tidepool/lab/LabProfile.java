package tidepool.lab;

import tidepool.sim.CostProfile;

/**
 * The costs in the lab: the fabric, and the coordinator's own CPU. {@code docs/benchmarks/lab/constants.md} gives the
 * source of each constant; {@link ProfileFile} reads profiles from files.
 *
 * @param logsInDram whether logs and intents lie in DRAM and not in the memory that holds the rows
 */
public record LabProfile(CostProfile costs, CoordinatorCosts coordinator, boolean logsInDram) {
    /**
     * CPU costs of a coordinator in addition to posting and polling.
     *
     * @param transactionNanos for each attempt: drawing it, beginning, ending, the scheduler
     * @param readNanos for each access that only reads
     * @param writeNanos for each access that writes
     * @param commitNanos for each attempt that reaches a commit with writes: its phases, logs, images
     */
    public record CoordinatorCosts(long transactionNanos, long readNanos, long writeNanos, long commitNanos) {}

    public String name() {
        return costs.name();
    }
}
