package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.NodeControl;
import tidepool.fabric.OrderTable;
import tidepool.fabric.Session;

/** Failures of a memory node between two calls of a client that opens its catalog. */
class CatalogCopiesTest {
    /**
     * Seed 103 of bursty clusters of Motor with cut links: the failure was an index exception of an array, and was not
     * retried.
     */
    @Test
    void aNodeThatComesBackEmptyMeanwhileIsUnavailable() {
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            Session session = fabric.attach();

            FabricException e =
                    assertThrows(FabricException.class, () -> new CatalogCopies(new Forgetful(fabric), session.lane()));

            assertEquals(FabricException.Reason.UNAVAILABLE, e.reason());
            assertEquals(2, new CatalogCopies(fabric, session.lane()).count());
        }
    }

    /** A fabric whose last node has no regions whenever it is asked. */
    private static final class Forgetful extends Fabric {
        private final Fabric fabric;

        Forgetful(Fabric fabric) {
            this.fabric = fabric;
        }

        @Override
        public String name() {
            return fabric.name();
        }

        @Override
        public int nodes() {
            return fabric.nodes();
        }

        @Override
        public OrderTable orders() {
            return fabric.orders();
        }

        @Override
        public Session attach() {
            return fabric.attach();
        }

        @Override
        public NodeControl control(int node) {
            NodeControl control = fabric.control(node);
            if (node < nodes() - 1) return control;
            return (NodeControl) Proxy.newProxyInstance(
                    NodeControl.class.getClassLoader(),
                    new Class<?>[] {NodeControl.class},
                    (Object _, Method method, Object[] arguments) ->
                            method.getName().equals("regions") ? new Id128[0] : method.invoke(control, arguments));
        }

        @Override
        public boolean isDead(int number) {
            return fabric.isDead(number);
        }

        @Override
        public void close() {}
    }
}
