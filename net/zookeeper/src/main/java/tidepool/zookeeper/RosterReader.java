package tidepool.zookeeper;

import tidepool.store.Roster;

/** Reads the roster of a pool once. */
public final class RosterReader {
    private RosterReader() {}

    /**
     * Returns the roster; null if there is no such pool yet. Throws an exception with a sentence if ZooKeeper does not
     * answer.
     */
    public static Roster read(ZkUrl url) {
        try (ZooKeeperClient client = new ZooKeeperClient(url, ZooKeeperClient.USUAL_SESSION)) {
            ZooKeeperClient.Found found = client.read(new PoolPaths(url.pool()).roster());
            return found == null ? null : Roster.parse(found.text());
        }
    }
}
