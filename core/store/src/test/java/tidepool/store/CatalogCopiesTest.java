package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
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

            FabricException e = assertThrows(
                    FabricException.class, () -> new CatalogCopies(new Forgetful(fabric, 2), session.lane()));

            assertEquals(FabricException.Reason.UNAVAILABLE, e.reason());
            assertEquals(2, new CatalogCopies(fabric, session.lane()).count());
        }
    }

    /**
     * Two sessions that open a new pool at once both see no region at a node, and both make one. The region that came
     * second is freed. Otherwise it would take memory for ever, and one of the 256 entries of its node.
     */
    @Test
    void theRegionThatCameSecondIsFreed() {
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            Session session = fabric.attach();
            new CatalogCopies(fabric, session.lane());
            Id128 first = fabric.control(1).regions()[0];

            new CatalogCopies(new Forgetful(fabric, 1), session.lane());

            assertEquals(
                    List.of(first),
                    Stream.of(fabric.control(1).regions())
                            .filter(Objects::nonNull)
                            .toList());
        }
    }

    /** A fabric whose last node has no regions when it is asked, for a number of times. */
    private static final class Forgetful extends Fabric {
        private final Fabric fabric;
        private int times;

        Forgetful(Fabric fabric, int times) {
            this.fabric = fabric;
            this.times = times;
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
                            isForgotten(method) ? new Id128[0] : method.invoke(control, arguments));
        }

        private boolean isForgotten(Method method) {
            return method.getName().equals("regions") && times-- > 0;
        }

        @Override
        public boolean isDead(int number) {
            return fabric.isDead(number);
        }

        @Override
        public void close() {}
    }
}
