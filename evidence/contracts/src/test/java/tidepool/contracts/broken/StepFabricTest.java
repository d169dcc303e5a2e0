package tidepool.contracts.broken;

import org.junit.jupiter.api.Tag;
import tidepool.contracts.FabricContract;
import tidepool.contracts.FabricWorld;
import tidepool.contracts.ThreadWorld;
import tidepool.fabric.direct.MemFabric;
import tidepool.memory.Handlers;

/** The wrapper that goes verb by verb, unbroken. */
@Tag("full")
class StepFabricTest extends FabricContract {
    @Override
    public FabricWorld open(int nodes, boolean handlers) {
        return new ThreadWorld(new StepFabric(new MemFabric(nodes, handlers ? new Handlers() : Handlers.off())));
    }
}
