package tidepool.contracts;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import tidepool.fabric.Fabric;
import tidepool.fabric.NodeControl;
import tidepool.fabric.OrderTable;
import tidepool.fabric.Session;
import tidepool.fabric.shm.ShmFabric;
import tidepool.fabric.shm.ShmOptions;

/** One pool opened twice: clients that look at the same memory through different mappings keep the same contract. */
@Tag("full")
class ShmTwoOpeningsTest extends ShmFabricTest {
    @Override
    Fabric pool(Path folder, int nodes, boolean handlers) {
        Fabric first = super.pool(folder, nodes, handlers);
        return new TwoOpenings(
                first, ShmFabric.open(folder.resolve("pool"), options(nodes, handlers, ShmOptions.Mode.ATTACH)));
    }

    /** Sessions come from both in turn, and control calls from the one that did not make the last session. */
    private static final class TwoOpenings extends Fabric {
        private final Fabric first;
        private final Fabric second;
        private final AtomicInteger turn = new AtomicInteger();

        TwoOpenings(Fabric first, Fabric second) {
            this.first = first;
            this.second = second;
        }

        @Override
        public String name() {
            return "shm2";
        }

        @Override
        public int nodes() {
            return first.nodes();
        }

        @Override
        public OrderTable orders() {
            return first.orders();
        }

        @Override
        public Session attach() {
            return (turn.getAndIncrement() % 2 == 0 ? first : second).attach();
        }

        @Override
        public NodeControl control(int node) {
            return (turn.get() % 2 == 0 ? first : second).control(node);
        }

        @Override
        public boolean isDead(int session) {
            return first.isDead(session);
        }

        @Override
        public void close() {
            first.close();
            second.close();
        }
    }
}
