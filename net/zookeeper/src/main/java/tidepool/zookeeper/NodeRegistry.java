package tidepool.zookeeper;

import java.util.ArrayList;
import java.util.List;
import tidepool.store.StoreException;

/** The nodes that are registered for a pool. */
final class NodeRegistry {
    private static final System.Logger LOG = System.getLogger("tidepool.cluster");

    private final ZooKeeperClient client;
    private final PoolPaths paths;

    NodeRegistry(ZooKeeperClient client, PoolPaths paths) {
        this.client = client;
        this.paths = paths;
    }

    /**
     * Returns the nodes that are registered now, in the order of their identities. An invalid entry is logged and left
     * out.
     */
    List<NodeEntry> all() {
        client.sync(paths.nodes());
        List<NodeEntry> nodes = new ArrayList<>();
        for (String identity : client.children(paths.nodes())) {
            ZooKeeperClient.Found found = client.read(paths.node(identity));
            if (found == null) continue; // deleted since the list was read
            try {
                nodes.add(NodeEntry.parse(identity, found.text(), found.stat().getCzxid()));
            } catch (StoreException e) {
                LOG.log(System.Logger.Level.WARNING, e.getMessage());
            }
        }
        return nodes;
    }
}
