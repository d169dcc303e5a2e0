package tidepool.contracts.broken;

import java.util.function.UnaryOperator;
import tidepool.contracts.SimWorld;
import tidepool.fabric.Fabric;
import tidepool.fabric.Link;
import tidepool.memory.Handlers;
import tidepool.sim.Adversary;

/** A simulation whose fabric is wrapped; faults reach what is inside. */
class FilteredSimWorld extends SimWorld {
    FilteredSimWorld(int nodes, Handlers handlers, UnaryOperator<Fabric> wrapper) {
        super(0xBAD5EED, nodes, Adversary.ORDER.withPersistence(10_000), handlers, wrapper);
    }

    @Override
    public void breakLink(Link link) {
        super.breakLink(((FilterFabric.FilterLink) link).inner());
    }

    @Override
    public void delayNext(Link link, long nanos) {
        super.delayNext(((FilterFabric.FilterLink) link).inner(), nanos);
    }
}
