package tidepool.check.simulation;

import java.util.List;
import tidepool.fabric.sim.Reached;

/**
 * What one seed came to.
 *
 * @param turns what strands did, over all of them
 * @param rounds posted, awaited or in the background
 * @param verbs in those rounds
 * @param sessions that were ever opened; more than strands, because they are revoked and replaced
 * @param virtualNanos how long it took in virtual time
 * @param faultsInjected flights, lost and doubled answers, broken connections, drops, pauses, deaths
 * @param reached how often each situation was met
 * @param traceHash the same for the same seed and options, on any machine
 * @param violations what was wrong, a sentence each; empty if nothing was
 * @param lastEvents the end of the trace, as many lines as were asked for
 */
public record RunResult(
        long seed,
        long turns,
        long rounds,
        long verbs,
        int sessions,
        long virtualNanos,
        long faultsInjected,
        Reached reached,
        long traceHash,
        List<String> violations,
        List<String> lastEvents) {

    public boolean isClean() {
        return violations.isEmpty();
    }
}
