package tidepool.tcp;

import tidepool.contracts.FabricContract;
import tidepool.contracts.FabricWorld;
import tidepool.contracts.ThreadWorld;
import tidepool.fabric.Fabric;
import tidepool.fabric.Link;
import tidepool.testkit.Effort;

/** Threads that share connections to nodes on loopback, through proxies that delay, cut and kill. */
class TcpFabricTest extends FabricContract {
    @Override
    public FabricWorld open(int nodes, boolean handlers) {
        TcpNodes servers = new TcpNodes(nodes, handlers, true);
        return new ThreadWorld(Fabric.open(servers.url())) {
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
                return Effort.of(300, 500, 20_000);
            }

            @Override
            public long allocatedBytes() {
                return -1; // others take answers in
            }

            @Override
            public boolean can(Fault fault) {
                return fault != Fault.CUT_POWER;
            }

            @Override
            public void breakLink(Link link) {
                ((TcpLink) link).connection().breakDown("cut");
            }

            @Override
            public void killNode(int node) {
                servers.proxy(node).close();
            }

            @Override
            public long delayFactor() {
                return 2500; // half a second: a busy machine may be slow to look
            }

            @Override
            public void delayNext(Link link, long nanos) {
                servers.proxy(link.node()).delayNextRound(nanos);
            }

            @Override
            public void close() {
                super.close();
                servers.close();
            }
        };
    }
}
