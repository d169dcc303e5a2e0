package tidepool.tcp;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tidepool.base.Checks;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricUrl;

/**
 * Opens pools whose nodes are listed in a roster, each by address and identity. A node whose identity differs from the
 * one in the roster refuses the client, and so does a node that knows a newer roster.
 */
public final class TcpRosterOpener {
    /** The parameters that a URL may have in addition to the addresses and the pool. */
    public static final Set<String> PARAMETERS = Stream.concat(
                    TcpUrl.PARAMETERS.stream(), ClientCredentials.PARAMETERS.stream())
            .collect(Collectors.toUnmodifiableSet());

    private TcpRosterOpener() {}

    /**
     * Connects to all members.
     *
     * @param url with the name of the pool, credentials and time-outs as for {@code tcp://}; its addresses are the
     *     members
     * @param epoch of the roster
     * @param identities of the members, in the order of the addresses
     */
    public static Fabric open(FabricUrl url, long epoch, List<String> identities) {
        ClientCredentials mine = ClientCredentials.of(url);
        TcpUrl target = TcpUrl.of(url).of(epoch, identities);
        Checks.argument(target.nodes() == identities.size(), "each member has an address and an identity");
        return new TcpFabric(target, new Dialer(target, mine));
    }

    /** Returns whether the control connection to a node is up. It breaks at once when the node's process dies. */
    public static boolean isConnected(Fabric fabric, int node) {
        return fabric instanceof TcpFabric tcp && tcp.isConnected(node);
    }

    public static boolean isClosed(Fabric fabric) {
        return fabric instanceof TcpFabric tcp && tcp.isClosed();
    }

    /**
     * Returns whether a member answers with the given identity. It makes a handshake that names no pool and changes
     * nothing at the node. Waits for at most the given time.
     *
     * @param url as for {@link #open}, with the address of that member
     * @param epoch of any roster that contains the member
     */
    public static boolean answers(FabricUrl url, long epoch, String identity, Duration patience) {
        TcpUrl target = TcpUrl.of(url).of(epoch, List.of(identity)).asking(patience);
        return new Dialer(target, ClientCredentials.of(url)).answers();
    }
}
