package tidepool.contracts;

import tidepool.memory.Handlers;
import tidepool.sim.Adversary;

/** The simulator at its most adversarial short of failures: everything that the order table does not forbid happens. */
class SimFabricTest extends FabricContract {
    /** The whole contract is a function of this number; -Dtidepool.seed chooses another one. */
    private static final long SEED = Long.getLong("tidepool.seed", 0x5eed);

    private int worlds;

    @Override
    public FabricWorld open(int nodes, boolean handlers) {
        return new SimWorld(SEED + worlds++, nodes, adversary(), handlers ? new Handlers() : Handlers.off());
    }

    @Override
    public void asBefore() {
        worlds = 0;
    }

    /** Faults are injected by the tests themselves. */
    Adversary adversary() {
        return Adversary.ORDER.withPersistence(10_000);
    }
}
