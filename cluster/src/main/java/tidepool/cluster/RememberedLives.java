package tidepool.cluster;

/**
 * How far the journals of nodes were when they last started, in ZooKeeper: the number of a journal's life grows with every
 * start. A folder whose journal is behind that is older than what the node has served, however whole it looks.
 */
public final class RememberedLives {
    private RememberedLives() {}

    /** The highest life that was remembered; 0 if there is none. Fails with a sentence if ZooKeeper does not answer. */
    public static long read(ZkUrl url, String identity) {
        try (ZooKeeperClient client = new ZooKeeperClient(url, ZooKeeperClient.USUAL_SESSION)) {
            client.sync(path(url, identity)); // a server that is behind would make an old folder look new
            return life(client.read(path(url, identity)));
        }
    }

    /** Never goes back, whoever says what. */
    public static void remember(ZkUrl url, String identity, long life) {
        String path = path(url, identity);
        try (ZooKeeperClient client = new ZooKeeperClient(url, ZooKeeperClient.USUAL_SESSION)) {
            while (true) {
                ZooKeeperClient.Found found = client.read(path);
                if (found != null && life(found) >= life) return;
                boolean done = found == null
                        ? client.create(path, text(life), false)
                        : client.replace(path, text(life), found.stat().getVersion());
                if (done) return;
            }
        }
    }

    /** For one that is no member any more: its folder is refused for that. */
    public static void forget(ZkUrl url, String identity) {
        try (ZooKeeperClient client = new ZooKeeperClient(url, ZooKeeperClient.USUAL_SESSION)) {
            client.delete(path(url, identity));
        }
    }

    private static String path(ZkUrl url, String identity) {
        return new PoolPaths(url.pool()).life(identity);
    }

    private static String text(long life) {
        return "life " + life + "\n";
    }

    private static long life(ZooKeeperClient.Found found) {
        String text = found == null ? "" : found.text().strip();
        return text.matches("life [0-9]{1,18}") ? Long.parseLong(text.substring("life ".length())) : 0;
    }
}
