package tidepool.contracts.broken;

import org.junit.jupiter.api.Tag;
import tidepool.contracts.FabricContract;
import tidepool.contracts.FabricWorld;
import tidepool.contracts.ThreadWorld;
import tidepool.fabric.OrderTable;
import tidepool.fabric.direct.MemFabric;
import tidepool.memory.Handlers;

/** The wrapper of the broken fabrics, unbroken. It promises less order than it keeps, so that fences have a price. */
@Tag("full")
class FilterFabricTest extends FabricContract {
    @Override
    public FabricWorld open(int nodes, boolean handlers) {
        return new ThreadWorld(new FilterFabric(new MemFabric(nodes, handlers ? new Handlers() : Handlers.off())) {
            @Override
            public OrderTable orders() {
                return OrderTable.RDMA;
            }
        });
    }
}
