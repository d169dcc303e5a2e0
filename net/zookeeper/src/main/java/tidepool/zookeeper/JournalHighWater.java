package tidepool.zookeeper;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The highest known positions of the nodes' journals, in ZooKeeper: the number of a journal's life, which grows with
 * every start, and a block that was acknowledged in it. A folder whose journal ends before that position is older than
 * the data that the node has served, even if it looks intact.
 */
public final class JournalHighWater {
    /**
     * The remembered position of a node's journal.
     *
     * @param life 0 if there is none
     * @param block one that was acknowledged in that life; 0 if there is none
     */
    public record Remembered(long life, long block) {}

    private static final Pattern TEXT = Pattern.compile("life ([0-9]{1,18})(?: block ([0-9]{1,18}))?");

    private JournalHighWater() {}

    /** Returns the highest remembered position. Throws an exception with a sentence if ZooKeeper does not answer. */
    public static Remembered read(ZkUrl url, String identity) {
        try (ZooKeeperClient client = new ZooKeeperClient(url, ZooKeeperClient.USUAL_SESSION)) {
            client.sync(path(url, identity)); // a server that lags would make an old folder look current
            return parse(client.read(path(url, identity)));
        }
    }

    /** Remembers the life of a journal. The remembered position never decreases, whichever process writes. */
    public static void remember(ZkUrl url, String identity, long life) {
        try (ZooKeeperClient client = new ZooKeeperClient(url, ZooKeeperClient.USUAL_SESSION)) {
            remember(client, path(url, identity), new Remembered(life, 0));
        }
    }

    static void remember(ZooKeeperClient client, String path, Remembered now) {
        while (true) {
            ZooKeeperClient.Found found = client.read(path);
            Remembered known = parse(found);
            if (known.life > now.life || known.life == now.life && known.block >= now.block) return;
            String text = "life " + now.life + (now.block > 0 ? " block " + now.block : "") + "\n";
            boolean done = found == null
                    ? client.create(path, text, false)
                    : client.replace(path, text, found.stat().getVersion());
            if (done) return;
        }
    }

    /** Forgets the position of a node that is no longer a member. Its folder is refused for that reason. */
    public static void forget(ZkUrl url, String identity) {
        try (ZooKeeperClient client = new ZooKeeperClient(url, ZooKeeperClient.USUAL_SESSION)) {
            client.delete(path(url, identity));
        }
    }

    private static String path(ZkUrl url, String identity) {
        return new PoolPaths(url.pool()).life(identity);
    }

    private static Remembered parse(ZooKeeperClient.Found found) {
        Matcher text = TEXT.matcher(found == null ? "" : found.text().strip());
        if (!text.matches()) return new Remembered(0, 0);
        return new Remembered(Long.parseLong(text.group(1)), text.group(2) == null ? 0 : Long.parseLong(text.group(2)));
    }
}
