package tidepool.zookeeper;

import tidepool.fabric.FabricUrl;
import tidepool.store.Membership;
import tidepool.store.MembershipProvider;

/** Opens {@code zk://HOST:PORT,…/POOL}. */
public final class ZooKeeperProvider implements MembershipProvider {
    /** For {@link java.util.ServiceLoader}. */
    public ZooKeeperProvider() {}

    @Override
    public String scheme() {
        return "zk";
    }

    @Override
    public Membership open(FabricUrl url) {
        return ZooKeeperMembership.open(ZkUrl.of(url));
    }
}
