package tidepool.fabric.sim;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Who cannot hear whom. Requests and answers are cut apart, so that a partition may be one-way. What runs into a cut is
 * kept, as a NIC that sends again would keep it, and goes on when the cut heals: after its round gave up, perhaps after
 * its link was connected anew.
 */
final class Partition {
    private final Simulation simulation;
    private final int nodes;
    private final long wireNanos;
    private final BitSet requests = new BitSet();
    private final BitSet answers = new BitSet();
    private final List<Flight> stoppedRequests = new ArrayList<>();
    private final List<Flight> stoppedAnswers = new ArrayList<>();
    private boolean any;

    Partition(Simulation simulation, int nodes, long wireNanos) {
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
        goOn(stoppedRequests, requests, Flight.ARRIVE);
        goOn(stoppedAnswers, answers, Flight.COMPLETE);
    }

    /** Keeps the verb if it cannot get to its node. */
    boolean stopsRequest(Flight flight) {
        return any && stops(flight, requests, stoppedRequests);
    }

    /** Keeps the answer if it cannot get back. */
    boolean stopsAnswer(Flight flight) {
        return any && stops(flight, answers, stoppedAnswers);
    }

    /** Whether a control call gets there and back. */
    boolean isCut(Machine machine, int node) {
        return any && (requests.get(path(machine, node)) || answers.get(path(machine, node)));
    }

    private boolean stops(Flight flight, BitSet cuts, List<Flight> stopped) {
        if (!cuts.get(path(flight.link.simLane.machine, flight.link.simNode.number()))) return false;
        simulation.reached(Reach.STOPPED_BY_PARTITION);
        flight.openEvents++; // it will go on
        stopped.add(flight);
        return true;
    }

    private void goOn(List<Flight> stopped, BitSet cuts, int tag) {
        List<Flight> free = new ArrayList<>();
        for (Flight flight : stopped)
            if (!cuts.get(path(flight.link.simLane.machine, flight.link.simNode.number()))) free.add(flight);
        stopped.removeAll(free);
        for (Flight flight : free) {
            flight.openEvents--;
            flight.at(simulation.eventNanos() + wireNanos, tag);
        }
    }

    private int path(Machine machine, int node) {
        return machine.number() * nodes + node;
    }
}
