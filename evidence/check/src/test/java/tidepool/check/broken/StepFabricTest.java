package tidepool.check.broken;

import org.junit.jupiter.api.Tag;
import tidepool.check.FabricContract;
import tidepool.check.FabricWorld;
import tidepool.check.ThreadWorld;
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
