package tidepool.check.litmus;

import tidepool.fabric.sim.SimFabric;
import tidepool.store.TableInfo;

/** What must hold in the memory of a simulated pool that everybody has left. A protocol whose layout differs has its own. */
public interface MemoryCheck {
    void check(SimFabric fabric, TableInfo table);
}
