package tidepool.lab;

import tidepool.fabric.sim.CostProfile;

/**
 * What things cost in the lab: the fabric, and the coordinator's own computing. Where each constant comes from is in
 * {@code docs/lab/constants.md}; {@link ProfileFile} reads profiles from files.
 *
 * @param logsInDram whether logs and intents lie in DRAM and not in the memory that holds the rows
 */
public record LabProfile(CostProfile costs, Coordinator coordinator, boolean logsInDram) {
    /**
     * CPU of a coordinator beside posting and polling.
     *
     * @param transactionNanos for each attempt: drawing it, beginning, ending, the scheduler
     * @param readNanos for each access that only reads
     * @param writeNanos for each access that writes
     * @param commitNanos for each attempt that comes to commit writes: its phases, logs, images
     */
    public record Coordinator(long transactionNanos, long readNanos, long writeNanos, long commitNanos) {}

    public String name() {
        return costs.name();
    }
}
