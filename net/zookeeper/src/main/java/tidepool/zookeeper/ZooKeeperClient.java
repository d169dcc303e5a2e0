package tidepool.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.curator.RetryLoop;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.api.CuratorWatcher;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryUntilElapsed;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import tidepool.fabric.FabricException;

/**
 * A client for texts in ZooKeeper. Answers of ZooKeeper are return values; a missing answer is a
 * {@link FabricException} with a sentence.
 */
final class ZooKeeperClient implements AutoCloseable {
    /**
     * The session time-out of all processes except nodes, which use their lease. It is the time that others wait for a
     * dead steward.
     */
    static final Duration USUAL_SESSION = Duration.ofSeconds(4);

    private static final int RETRY_MILLIS = 100;

    /**
     * Entries are accessible only to processes with equal credentials. The root folder of all pools is the exception:
     * other users create their pools there.
     */
    private static final ACLProvider OWN = new ACLProvider() {
        @Override
        public List<ACL> getDefaultAcl() {
            return ZooDefs.Ids.CREATOR_ALL_ACL;
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            return path.equals(PoolPaths.ROOT) ? ZooDefs.Ids.OPEN_ACL_UNSAFE : ZooDefs.Ids.CREATOR_ALL_ACL;
        }
    };

    /** A text and its version. */
    record Found(String text, Stat stat) {}

    /** One request to ZooKeeper. */
    private interface Work<T> {
        T run() throws Exception;
    }

    private final String servers;
    private final Duration patience;
    private final CuratorFramework curator;

    /** Connects and waits for the connection. Throws an exception with a sentence if that takes too long. */
    ZooKeeperClient(ZkUrl url, Duration session) {
        url.requireHosts();
        this.servers = url.servers();
        this.patience = url.patience();
        int millis = (int) patience.toMillis();
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .sessionTimeoutMs((int) session.toMillis())
                .connectionTimeoutMs(millis)
                .retryPolicy(new RetryUntilElapsed(millis, RETRY_MILLIS))
                // not all servers support container nodes, and no entry here may disappear by itself
                .dontUseContainerParents();
        byte[] digest = url.digest();
        if (digest != null) builder.authorization("digest", digest).aclProvider(OWN);
        this.curator = builder.build();
        boolean connected = false;
        try {
            curator.start();
            connected = curator.blockUntilConnected(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (!connected) curator.close();
        }
        if (!connected) throw silent(null);
    }

    /** Returns the session time-out that ZooKeeper has granted. */
    Duration session() {
        return asking(() -> Duration.ofMillis(handle().getSessionTimeout()));
    }

    long sessionId() {
        return asking(() -> handle().getSessionId());
    }

    private ZooKeeper handle() throws Exception {
        return curator.getZookeeperClient().getZooKeeper();
    }

    /**
     * Waits until the server is up to date, so that later reads are not older than this call. Asks another server if
     * the current one dies.
     */
    void sync(String path) {
        asking(() -> RetryLoop.callWithRetry(curator.getZookeeperClient(), () -> {
            CompletableFuture<Integer> done = new CompletableFuture<>();
            VoidCallback callback = (code, at, context) -> done.complete(code);
            handle().sync(path, callback, null);
            int code = done.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (code != KeeperException.Code.OK.intValue())
                throw KeeperException.create(KeeperException.Code.get(code), path);
            return true;
        }));
    }

    /** Returns the text at a path; null if there is none. */
    Found read(String path) {
        return asking(() -> {
            Stat stat = new Stat();
            try {
                return new Found(text(curator.getData().storingStatIn(stat).forPath(path)), stat);
            } catch (KeeperException.NoNodeException e) {
                return null;
            }
        });
    }

    /** Returns the names of the children in order. */
    List<String> children(String path) {
        return asking(() -> {
            try {
                return curator.getChildren().forPath(path).stream().sorted().toList();
            } catch (KeeperException.NoNodeException e) {
                return List.of();
            }
        });
    }

    /** Creates an entry. Returns false if there is one already. */
    boolean create(String path, String text, boolean ephemeral) {
        return asking(() -> {
            try {
                curator.create()
                        .creatingParentsIfNeeded()
                        .withMode(ephemeral ? CreateMode.EPHEMERAL : CreateMode.PERSISTENT)
                        .forPath(path, bytes(text));
                return true;
            } catch (KeeperException.NodeExistsException e) {
                return false;
            }
        });
    }

    /**
     * Replaces the text if it has this version. Returns false if the version has changed, or if it is unknown whether
     * the text was replaced; the caller reads again.
     */
    boolean replace(String path, String text, int version) {
        return asking(() -> {
            try {
                // No automatic retry: it would find the version that the first try has written.
                handle().setData(path, bytes(text), version);
                return true;
            } catch (KeeperException.BadVersionException
                    | KeeperException.NoNodeException
                    | KeeperException.ConnectionLossException e) {
                return false;
            }
        });
    }

    void delete(String path) {
        asking(() -> {
            try {
                curator.delete().forPath(path);
            } catch (KeeperException.NoNodeException e) {
                // The entry is already gone, as the caller wants.
            }
            return null;
        });
    }

    /**
     * Calls {@code told} with the text now and after each change while ZooKeeper can be reached, and again after a
     * reconnect.
     */
    void follow(String path, Consumer<Found> told) {
        CuratorWatcher[] watcher = new CuratorWatcher[1];
        Runnable look = () -> look(path, watcher[0], told);
        watcher[0] = event -> {
            if (event.getType() != Watcher.Event.EventType.None) look.run();
        };
        curator.getConnectionStateListenable().addListener((client, state) -> {
            if (state == ConnectionState.RECONNECTED) look.run();
        });
        look.run();
    }

    private void look(String path, CuratorWatcher watcher, Consumer<Found> told) {
        try {
            curator.getData()
                    .usingWatcher(watcher)
                    .inBackground((client, event) -> {
                        if (event.getResultCode() == KeeperException.Code.OK.intValue())
                            told.accept(new Found(text(event.getData()), event.getStat()));
                    })
                    .forPath(path);
        } catch (Exception e) {
            if (e instanceof InterruptedException) Thread.currentThread().interrupt();
            // The client was closed meanwhile. In other cases the next change of the connection reads again.
        }
    }

    private <T> T asking(Work<T> work) {
        try {
            return work.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw silent(e);
        } catch (KeeperException.NoAuthException | KeeperException.AuthFailedException e) {
            throw FabricException.unavailable(
                    "ZooKeeper at " + servers + " does not let this process at " + e.getPath()
                            + ": give zkUser=NAME and zkTokenFile=FILE in the URL, as the pool was made with",
                    e);
        } catch (KeeperException | TimeoutException | ExecutionException e) {
            throw silent(e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw silent(e);
        }
    }

    private FabricException silent(Exception e) {
        String why = e == null || e instanceof KeeperException.ConnectionLossException || e instanceof TimeoutException
                ? ""
                : " (" + e.getMessage() + ")";
        return FabricException.unavailable(
                "ZooKeeper at " + servers + " does not answer within " + patience.toMillis() + " ms" + why, e);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        curator.close();
    }
}
