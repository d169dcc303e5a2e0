package tidepool.contracts;

import tidepool.fabric.direct.MemFabric;
import tidepool.memory.Handlers;

class MemFabricTest extends FabricContract {
    @Override
    public FabricWorld open(int nodes, boolean handlers) {
        return new ThreadWorld(new MemFabric(nodes, handlers ? new Handlers() : Handlers.off()));
    }
}
