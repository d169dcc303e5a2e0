package tidepool.verbs;

import java.util.List;
import tidepool.sim.Coverage;

/**
 * Result of one seed.
 *
 * @param turns of all strands
 * @param rounds posted, awaited or in the background
 * @param verbs in those rounds
 * @param sessions that were ever opened; more than strands, because they are revoked and replaced
 * @param virtualNanos duration in virtual time
 * @param faultsInjected flights, lost and doubled answers, broken connections, drops, pauses, deaths
 * @param coverage how often each situation was reached
 * @param traceHash equal for equal seed and options, on any machine
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
        Coverage coverage,
        long traceHash,
        List<String> violations,
        List<String> lastEvents) {

    public boolean isClean() {
        return violations.isEmpty();
    }
}
