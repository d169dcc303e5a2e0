package tidepool.evidence.litmus;

import tidepool.sim.SimFabric;
import tidepool.store.TableLayout;

/**
 * The invariants of the memory of a simulated pool that all sessions have left. A protocol with another layout has its
 * own.
 */
public interface MemoryCheck {
    void check(SimFabric fabric, TableLayout table);
}
