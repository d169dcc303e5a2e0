package tidepool.store;

import java.util.ServiceLoader;
import tidepool.fabric.FabricUrl;

/** Names a place where rosters are kept by a scheme of pool URLs; found by {@link ServiceLoader}. */
public interface MembershipProvider {
    /** {@code zk} for {@code zk://…}. */
    String scheme();

    /**
     * Opens it. Waits until there is a roster, and makes the first one where the URL allows that.
     *
     * @param url without what is about the store, the protocol and the limits
     * @param options how a new pool is laid out
     */
    Membership open(FabricUrl url, PoolOptions options);

    /** The provider of a scheme; null if there is none: then it names a fabric. */
    static MembershipProvider of(String scheme) {
        for (MembershipProvider provider :
                ServiceLoader.load(MembershipProvider.class, MembershipProvider.class.getClassLoader()))
            if (provider.scheme().equals(scheme)) return provider;
        return null;
    }
}
