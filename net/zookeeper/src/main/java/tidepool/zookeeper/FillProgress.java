package tidepool.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tidepool.fabric.FabricException;
import tidepool.store.FillProgressListener;

/**
 * The progress of replica fills, in ZooKeeper. A process that fills a replica writes it at most every 0.5 s. The entry
 * disappears when the fill is done or the process dies.
 */
public final class FillProgress implements FillProgressListener {
    private static final long EVERY_NANOS = 500_000_000L;

    /**
     * A replica that is being filled.
     *
     * @param running for how long the fill has been running
     */
    public record Entry(int partition, String identity, long done, long all, Duration running) {
        /** Returns the remaining time at the current rate; null if it is unknown. */
        public Duration left() {
            return done <= 0 ? null : running.multipliedBy(all - done).dividedBy(done);
        }
    }

    /** When the fill began, and when its entry was last written. */
    private record Written(long began, long last) {}

    private final ZooKeeperClient client;
    private final PoolPaths paths;
    private final Map<String, Written> written = new HashMap<>();

    FillProgress(ZooKeeperClient client, PoolPaths paths) {
        this.client = client;
        this.paths = paths;
    }

    /** Writes the progress of a fill. A failure to write it does not stop the fill. */
    @Override
    public synchronized void filled(int partition, String identity, long done, long all) {
        String path = paths.progress(partition, identity);
        long now = System.nanoTime();
        Written before = written.get(path);
        try {
            if (done >= all) {
                if (written.remove(path) != null) client.delete(path);
                return;
            }
            if (before != null && now - before.last < EVERY_NANOS) return;
            Written next = new Written(before == null ? now : before.began, now);
            written.put(path, next);
            String text = done + " of " + all + " after " + (now - next.began) / 1_000_000 + " ms";
            if (before == null && client.create(path, text, true)) return;
            if (!client.replace(path, text, -1)) client.create(path, text, true);
        } catch (FabricException e) {
            System.getLogger("tidepool.cluster").log(System.Logger.Level.DEBUG, e.getMessage());
        }
    }

    List<Entry> all() {
        List<Entry> entries = new ArrayList<>();
        for (String name : client.children(paths.progress())) {
            ZooKeeperClient.Found found = client.read(paths.progress() + "/" + name);
            if (found == null || !name.matches("[0-9]{1,4}@.+")) continue;
            if (!found.text().matches("[0-9]{1,18} of [0-9]{1,18} after [0-9]{1,18} ms")) continue;
            String[] words = found.text().split(" ", -1);
            int at = name.indexOf('@');
            entries.add(new Entry(
                    Integer.parseInt(name.substring(0, at)),
                    name.substring(at + 1),
                    Long.parseLong(words[0]),
                    Long.parseLong(words[2]),
                    Duration.ofMillis(Long.parseLong(words[4]))));
        }
        return entries;
    }
}
