package tidepool.contracts;

import tidepool.contracts.broken.FilterFabric;
import tidepool.fabric.direct.MemFabric;
import tidepool.memory.Handlers;

/** The test class that docs/internals/fabric-contract.md shows to authors of fabrics. */
final class ContractPageBlocks {
    private ContractPageBlocks() {}

    private static final class FifthFabric extends FilterFabric {
        FifthFabric(int nodes, boolean handlers) {
            super(new MemFabric(nodes, handlers ? new Handlers() : Handlers.off()));
        }
    }

    /** Nested, so that the contract runs once for each fabric that exists. */
    static class FifthFabricTest extends FabricContract {
        @Override
        public FabricWorld open(int nodes, boolean handlers) {
            return new ThreadWorld(new FifthFabric(nodes, handlers));
        }
    }
}
