package tidepool.tcp;

import java.time.Duration;
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
     * Whether a member is there, as itself: a handshake about no pool, which changes nothing at the node. Waits for at most the
     * given time.
     *
     * @param url as for {@link #open}, with the address of that member
     * @param epoch of any roster that has it
     */
    public static boolean answers(FabricUrl url, long epoch, String identity, Duration patience) {
        TcpUrl target = TcpUrl.of(url).of(epoch, List.of(identity)).asking(patience);
        return new Dialer(target, ClientCredentials.of(url)).answers();
    }
}
