package tidepool.sim;

import tidepool.fabric.Lane;
import tidepool.fabric.Session;

/** A session of the simulated pool. It belongs to the machine whose strand opened it, and dies with it. */
final class SimSession extends Session {
    final SimFabric simFabric;
    final Machine machine;

    /** At each node: verbs and chained work that have begun and not finished. */
    final int[] underWay;

    private boolean closed;

    SimSession(SimFabric fabric, int number, Machine machine) {
        super(fabric, number);
        this.simFabric = fabric;
        this.machine = machine;
        this.underWay = new int[fabric.allNodes()];
    }

    @Override
    protected Lane newLane() {
        return new SimLane(this);
    }

    @Override
    public void close() {
        if (closed) return;
        closed = true;
        for (Lane lane : lanes()) lane.close();
        for (int i = 0; i < simFabric.nodes(); i++)
            simFabric.node(i).memory().sessions().detach(number());
    }

    boolean isClosed() {
        return closed;
    }

    Iterable<Lane> allLanes() {
        return lanes();
    }
}
