package tidepool.contracts.broken;

import org.junit.jupiter.api.Tag;
import tidepool.contracts.FabricContract;
import tidepool.contracts.FabricWorld;
import tidepool.memory.Handlers;

/** The wrapper of the broken fabrics around the simulator, unbroken. */
@Tag("full")
class FilterSimFabricTest extends FabricContract {
    @Override
    public FabricWorld open(int nodes, boolean handlers) {
        return new FilteredSimWorld(nodes, handlers ? new Handlers() : Handlers.off(), FilterFabric::new);
    }
}
