package tidepool.check;

import java.util.function.Consumer;

/** What all themes of the contract stand on: a way to open a fresh pool. */
interface Stage {
    /** Opens a fresh, empty pool with that many nodes, with the handlers of CALL on or off. */
    FabricWorld open(int nodes, boolean handlers);

    /** A pool of three nodes, handlers on. */
    default Scene scene() {
        return new Scene(open(3, true));
    }

    /** A story of one client in a fresh pool of three nodes. */
    default void story(Consumer<Client> story) {
        try (Scene scene = scene()) {
            scene.alone(story);
        }
    }
}
