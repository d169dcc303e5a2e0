package tidepool.tcp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;

/** Memory nodes of a test, each with its own loop and socket, and a proxy before each where faults are wanted. */
final class TcpNodes implements AutoCloseable {
    private static final long MEMORY = 1L << 30;

    /** So long that a busy machine is not taken for a dead one. */
    private static final Duration LEASE = Duration.ofMinutes(1);

    private static final Duration GRACE = Duration.ofMillis(10);

    private final List<MemoryServer> servers = new ArrayList<>();
    private final List<SlowProxy> proxies = new ArrayList<>();
    private final boolean proxied;

    TcpNodes(int nodes, boolean handlers, boolean proxied) {
        this(nodes, handlers, proxied, LEASE);
    }

    TcpNodes(int nodes, boolean handlers, boolean proxied, Duration lease) {
        this.proxied = proxied;
        for (int i = 0; i < nodes; i++) {
            MemoryServer server = MemoryServer.start(NodeOptions.onLoopback("n" + i, 0, MEMORY)
                    .withHandlers(handlers)
                    .withLease(lease, GRACE));
            servers.add(server);
            if (proxied) proxies.add(new SlowProxy(server.address()));
        }
    }

    String url() {
        return "tcp://"
                + (proxied
                                ? proxies.stream().map(SlowProxy::port)
                                : servers.stream()
                                        .map(server -> server.address().getPort()))
                        .map(port -> "127.0.0.1:" + port)
                        .collect(Collectors.joining(","));
    }

    SlowProxy proxy(int node) {
        return proxies.get(node);
    }

    @Override
    public void close() {
        for (MemoryServer server : servers) server.close();
        for (SlowProxy proxy : proxies) proxy.close();
    }
}
