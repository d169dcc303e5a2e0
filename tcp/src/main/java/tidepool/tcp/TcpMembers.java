package tidepool.tcp;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tidepool.base.Checks;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricUrl;
import tidepool.tcp.secure.ClientCredentials;

/**
 * Opens a pool whose nodes are told by a roster, each by its address and its identity. A node that is another than the one
 * that is meant refuses, and so does one that knows a newer roster.
 */
public final class TcpMembers {
    /** What the URL may say beside the addresses and the pool. */
    public static final Set<String> PARAMETERS = Stream.concat(
                    TcpUrl.PARAMETERS.stream(), ClientCredentials.PARAMETERS.stream())
            .collect(Collectors.toUnmodifiableSet());

    private TcpMembers() {}

    /**
     * Connects to all of them.
     *
     * @param url with the name of the pool, credentials and time-outs as for {@code tcp://}; its addresses are the members
     * @param epoch of the roster
     * @param identities of the members, in the order of the addresses
     */
    public static Fabric open(FabricUrl url, long epoch, List<String> identities) {
        ClientCredentials mine = ClientCredentials.of(url);
        TcpUrl target = TcpUrl.of(url).of(epoch, identities);
        Checks.argument(target.nodes() == identities.size(), "each member has an address and an identity");
        return new TcpFabric(target, new Dialer(target, mine));
    }

    /** Whether the connection for control to a node is up; a node that dies is noticed there at once. */
    public static boolean isConnected(Fabric fabric, int node) {
        return fabric instanceof TcpFabric tcp && tcp.isConnected(node);
    }

    public static boolean isClosed(Fabric fabric) {
        return fabric instanceof TcpFabric tcp && tcp.isClosed();
    }

    /**
     * How long a session of this pool, or of an older roster of it, may believe a node that was cut off, after it was shut
     * out at one of these nodes; on the clock of its own process.
     */
    public static long believedNanos(Fabric fabric) {
        return fabric instanceof TcpFabric tcp ? tcp.longestLeaseNanos() : 0;
    }
}
