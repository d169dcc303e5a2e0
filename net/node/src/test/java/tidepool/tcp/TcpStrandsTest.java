package tidepool.tcp;

import org.junit.jupiter.api.Tag;
import tidepool.base.Carrier;
import tidepool.contracts.FabricContract;
import tidepool.contracts.FabricWorld;
import tidepool.contracts.ThreadWorld;
import tidepool.fabric.Fabric;
import tidepool.testkit.Effort;

/** Strands of one carrier, whose rounds leave together and whose answers the carrier takes in. */
@Tag("full")
class TcpStrandsTest extends FabricContract {
    @Override
    public FabricWorld open(int nodes, boolean handlers) {
        TcpNodes servers = new TcpNodes(nodes, handlers, false);
        return new ThreadWorld(Fabric.open(servers.url())) {
            @Override
            public void run(Runnable... bodies) {
                super.run(() -> {
                    Carrier carrier = new Carrier();
                    for (int i = 0; i < bodies.length; i++) carrier.start("body-" + i, bodies[i]);
                    carrier.run();
                });
            }

            @Override
            public boolean verbsTakeTime() {
                return true;
            }

            @Override
            public boolean callsHaveNoLimit() {
                return false; // a CALL travels in one frame
            }

            @Override
            public int litmusRounds() {
                return Effort.of(300, 600, 20_000);
            }

            @Override
            public void close() {
                super.close();
                servers.close();
            }
        };
    }
}
