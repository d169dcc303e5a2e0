package tidepool.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import tidepool.workload.site.Site;
import tidepool.zookeeper.LocalZooKeeper;

/** Three {@code tidepool node} as an operator starts them, with journals, registered in a ZooKeeper of this process. */
final class CommandSite implements Site {
    static final int NODES = 3;

    private final Path folder;
    private final String parameters;
    private final LocalZooKeeper zookeeper;
    private final SeparateNode[] nodes = new SeparateNode[NODES];

    CommandSite(Path folder, String parameters) {
        this.folder = folder;
        this.parameters = parameters;
        LibraryLogs.quiet();
        try {
            zookeeper = new LocalZooKeeper(
                    folder.resolve("zk"), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            for (int i = 0; i < NODES; i++) nodes[i] = start(i, "127.0.0.1:0");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SeparateNode start(int number, String listen) throws IOException {
        return SeparateNode.start(
                folder,
                "--name",
                name(number),
                "--listen",
                listen,
                "--zk",
                place(),
                "--durability",
                "strict",
                "--dir",
                folder.resolve(name(number)).toString(),
                "--lease",
                "30s",
                "--zk-lease",
                "6s",
                "--handshake-time",
                "60s",
                "--rejoin",
                "--log-level",
                "warning");
    }

    String name(int number) {
        return "n" + (number + 1);
    }

    SeparateNode node(int number) {
        return nodes[number];
    }

    /** Restarts a node that has ended, by the command of its first start. */
    void restart(int number) throws IOException {
        nodes[number] = start(number, nodes[number].address());
    }

    private String place() {
        return "zk://127.0.0.1:" + zookeeper.port() + "/bank?zkTimeout=60s";
    }

    @Override
    public String url() {
        return place() + "&nodes=" + NODES + "&flush=selective&timeout=120s&connect=60s&" + parameters;
    }

    @Override
    public boolean hasFixedNodes() {
        return false;
    }

    @Override
    public String text() {
        return "each a process of ./tidepool node";
    }

    @Override
    public void close() {
        for (SeparateNode node : nodes) if (node != null) node.close();
        zookeeper.close();
    }
}
