package tidepool.sim;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The pairs of machine and node that cannot reach each other. Requests and answers are cut separately, so that a
 * partition may be one-way. A stopped verb or answer is kept, as a NIC that retransmits would keep it. It continues
 * when the cut heals: after its round gave up, perhaps after its link was connected anew.
 */
final class NetworkPartition {
    private final Simulation simulation;
    private final int nodes;
    private final long wireNanos;
    private final BitSet requests = new BitSet();
    private final BitSet answers = new BitSet();
    private final List<VerbInFlight> stoppedRequests = new ArrayList<>();
    private final List<VerbInFlight> stoppedAnswers = new ArrayList<>();
    private boolean any;

    NetworkPartition(Simulation simulation, int nodes, long wireNanos) {
        this.simulation = simulation;
        this.nodes = nodes;
        this.wireNanos = wireNanos;
    }

    void cut(Machine machine, int node, boolean requestsToo, boolean answersToo) {
        int path = path(machine, node);
        requests.set(path, requests.get(path) || requestsToo);
        answers.set(path, answers.get(path) || answersToo);
        any = true;
    }

    void heal(Machine machine, int node) {
        requests.clear(path(machine, node));
        answers.clear(path(machine, node));
        any = !requests.isEmpty() || !answers.isEmpty();
        goOn(stoppedRequests, requests, VerbInFlight.ARRIVE);
        goOn(stoppedAnswers, answers, VerbInFlight.COMPLETE);
    }

    /** Keeps the verb and returns true if it cannot reach its node. */
    boolean stopsRequest(VerbInFlight flight) {
        return any && stops(flight, requests, stoppedRequests);
    }

    /** Keeps the answer and returns true if it cannot get back. */
    boolean stopsAnswer(VerbInFlight flight) {
        return any && stops(flight, answers, stoppedAnswers);
    }

    /** Returns whether a control call cannot get there or back. */
    boolean isCut(Machine machine, int node) {
        return any && (requests.get(path(machine, node)) || answers.get(path(machine, node)));
    }

    private boolean stops(VerbInFlight flight, BitSet cuts, List<VerbInFlight> stopped) {
        if (!cuts.get(path(flight.link.simLane.machine, flight.link.simNode.number()))) return false;
        simulation.coverage(CoveragePoint.STOPPED_BY_PARTITION);
        flight.openEvents++; // it will continue
        stopped.add(flight);
        return true;
    }

    private void goOn(List<VerbInFlight> stopped, BitSet cuts, int tag) {
        List<VerbInFlight> free = new ArrayList<>();
        for (VerbInFlight flight : stopped)
            if (!cuts.get(path(flight.link.simLane.machine, flight.link.simNode.number()))) free.add(flight);
        stopped.removeAll(free);
        for (VerbInFlight flight : free) {
            flight.openEvents--;
            flight.at(simulation.eventNanos() + wireNanos, tag);
        }
    }

    private int path(Machine machine, int node) {
        return machine.number() * nodes + node;
    }
}
