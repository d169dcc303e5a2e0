package tidepool.contracts;

import java.util.function.Consumer;

/** Base of all themes of the contract: opens a fresh pool for each test. */
interface ContractBase {
    /** Opens a fresh, empty pool with this number of nodes, with the handlers of CALL on or off. */
    FabricWorld open(int nodes, boolean handlers);

    /** Opens a pool of three nodes, handlers on. */
    default ContractPool pool() {
        return new ContractPool(open(3, true));
    }

    /** Runs a test program of one client in a fresh pool of three nodes. */
    default void story(Consumer<ContractClient> story) {
        try (ContractPool pool = pool()) {
            pool.alone(story);
        }
    }
}
