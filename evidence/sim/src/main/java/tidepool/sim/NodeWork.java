package tidepool.sim;

import java.lang.foreign.MemorySegment;
import tidepool.base.Randomness;
import tidepool.memory.AccessCode;
import tidepool.memory.ChainedWorkExecutor;
import tidepool.memory.Handlers;
import tidepool.memory.WriteListener;

/** The work of the memory side: handlers on its CPU, chained work step by step on its NIC. */
final class NodeWork {
    private final SimNode node;
    private final Simulation simulation;
    private final CostProfile.Node costs;
    private final long maxDelayNanos;
    private final Randomness random;

    /**
     * @param maxDelayNanos the maximum delay that the adversary puts between two steps
     */
    NodeWork(SimNode node, Simulation simulation, CostProfile.Node costs, long maxDelayNanos, Randomness random) {
        this.node = node;
        this.simulation = simulation;
        this.costs = costs;
        this.maxDelayNanos = maxDelayNanos;
        this.random = random;
    }

    int beginCall(VerbInFlight flight) {
        Handlers handlers = node.memory().handlers();
        if (!handlers.areOn() || handlers.get((int) flight.operand) == null) return AccessCode.HANDLER;
        node.underWay(flight, 1);
        flight.begun = true;
        long start = node.cpu.begin(simulation.eventNanos(), costs.handlerNanos() * SerialServer.PICOS / costs.cores());
        flight.at(start + costs.handlerNanos(), VerbInFlight.HANDLER);
        return AccessCode.GRANTED;
    }

    void runHandler(VerbInFlight flight) {
        if (node.isUnknown(flight) || node.isCutShort(flight)) {
            node.cutOff(flight);
            return;
        }
        MemorySegment reply = flight.reply();
        int length = node.memory()
                .handlers()
                .get((int) flight.operand)
                .handle(node.memory(), flight.session(), flight.request(), reply, WriteListener.UNTOLD);
        flight.replyBytes = Math.min(length, flight.replyLength);
        if (node.tellsPersistence()) flight.link.dirty.addEverything();
        node.underWay(flight, -1);
        node.applied(flight);
    }

    int beginChain(VerbInFlight flight) {
        if (flight.region.opened == null || flight.region.connection != flight.connection) return AccessCode.KEY;
        if (flight.chain == null) flight.chain = new ChainedWorkExecutor();
        int access = flight.chain.begin(node.memory(), flight.connection, flight.region.opened, flight.offset);
        if (access != AccessCode.GRANTED) return access;
        node.underWay(flight, 1);
        flight.begun = true;
        flight.at(simulation.eventNanos() + costs.chainStepNanos(), VerbInFlight.CHAIN_STEP);
        return AccessCode.GRANTED;
    }

    void chainStep(VerbInFlight flight) {
        if (node.isUnknown(flight) || flight.connection.access() != AccessCode.GRANTED) {
            simulation.coverage(CoveragePoint.REVOKED_CHAIN_DROPPED);
            node.cutOff(flight);
            return;
        }
        if (node.tellsPersistence()) flight.link.dirty.addEverything();
        if (flight.chain.step()) {
            long extra = maxDelayNanos > 0 ? random.nextLong(maxDelayNanos + 1) : 0;
            flight.at(simulation.eventNanos() + costs.chainStepNanos() + extra, VerbInFlight.CHAIN_STEP);
            return;
        }
        flight.chain.finish();
        node.underWay(flight, -1);
        node.applied(flight);
    }
}
