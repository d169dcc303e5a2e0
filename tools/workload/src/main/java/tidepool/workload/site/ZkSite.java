package tidepool.workload.site;

import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * Three memory nodes that register in a ZooKeeper. Each of the four is its own process, which can be killed and
 * restarted.
 */
public final class ZkSite implements Site {
    private static final String POOL = "pool";
    private static final TcpSite.Nodes HOW = TcpSite.Nodes.DEFAULT;

    private final Path folder;
    private final String parameters;
    private final ZooKeeperProcess zookeeper;
    private final NodeProcess[] nodes = new NodeProcess[TcpSite.NODES];
    private final int[] lives = new int[TcpSite.NODES];

    /** Starts all processes and waits until they can be reached. */
    public ZkSite(Path folder, String parameters) {
        this.folder = folder;
        this.parameters = parameters;
        this.zookeeper = new ZooKeeperProcess(folder);
        try {
            for (int i = 0; i < nodes.length; i++) start(i);
            for (NodeProcess node : nodes) node.awaitReady();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Returns the identity of this node in the roster now. */
    public String identity(int number) {
        return "node-" + number + "#" + lives[number];
    }

    /** Sends SIGKILL. */
    public void kill(int number) {
        nodes[number].close();
    }

    /** Restarts a killed node: empty, with a new identity. */
    public void restart(int number) {
        lives[number]++;
        start(number);
        nodes[number].awaitReady();
    }

    private void start(int number) {
        nodes[number] = NodeProcess.start(folder, number, HOW, url(), identity(number));
    }

    public int nodes() {
        return nodes.length;
    }

    @Override
    public boolean hasFixedNodes() {
        return false;
    }

    @Override
    public String url() {
        InetSocketAddress at = zookeeper.address();
        return "zk://" + at.getAddress().getHostAddress() + ":" + at.getPort() + "/" + POOL + "?nodes=" + nodes.length
                + "&" + parameters;
    }

    @Override
    public String text() {
        return "each a process, registered in ZooKeeper";
    }

    @Override
    public void requireSound() {
        zookeeper.requireSound();
        for (NodeProcess node : nodes) node.requireSound();
    }

    @Override
    public void close() {
        for (NodeProcess node : nodes) if (node != null) node.close();
        zookeeper.close();
    }
}
