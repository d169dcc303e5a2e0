package tidepool.node;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tidepool.fabric.FabricException;
import tidepool.wire.AuthMethod;
import tidepool.wire.NodeStatus;

/** A memory node that serves its pools to clients over TCP, as specified in {@code docs/internals/wire.md}. */
public final class MemoryServer implements AutoCloseable {
    private static final int BACKLOG = 128;

    private final InetSocketAddress address;
    private final NodeCounters counters = new NodeCounters();
    private final NodeLoop loop;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile Throwable failure;
    private volatile NodeStatus lastStatus;

    /** Binds and serves. Throws if that is not possible; the message says why. */
    public static MemoryServer start(NodeOptions options) {
        return start(options, _ -> {});
    }

    /**
     * Binds and serves. Throws if that is not possible; the message says why.
     *
     * @param failed called with the failure, by the node's thread and before it cleans up, if the node ends without
     *     being closed
     */
    public static MemoryServer start(NodeOptions options, Consumer<Throwable> failed) {
        refuseOpenDoors(options);
        ServerSocketChannel server = bind(options.listen());
        try {
            return new MemoryServer(options, server, failed);
        } catch (IOException e) {
            throw FabricException.unavailable("the node cannot start (" + e.getMessage() + ")", e);
        }
    }

    private static void refuseOpenDoors(NodeOptions options) {
        if (options.listen().isUnresolved())
            throw FabricException.unavailable(
                    "nobody knows the host " + options.listen().getHostString());
        boolean loopback = options.listen().getAddress().isLoopbackAddress();
        if (!loopback && options.authenticator().method() == AuthMethod.NONE)
            throw FabricException.unavailable("a node that listens beyond loopback needs credentials: "
                    + options.listen() + "; give it tokens or certificates, or let it listen on 127.0.0.1");
    }

    private static ServerSocketChannel bind(InetSocketAddress listen) {
        ServerSocketChannel server = null;
        try {
            server = ServerSocketChannel.open();
            server.bind(listen, BACKLOG);
            return server;
        } catch (IOException e) {
            close(server);
            throw FabricException.unavailable("the node cannot listen at " + listen + " (" + e.getMessage() + ")", e);
        }
    }

    private MemoryServer(NodeOptions options, ServerSocketChannel server, Consumer<Throwable> failed)
            throws IOException {
        boolean made = false;
        try {
            this.address = (InetSocketAddress) server.getLocalAddress();
            this.loop = new NodeLoop(options, server, counters);
            made = true;
        } finally {
            if (!made) close(server);
        }
        Thread.ofPlatform().name("tidepool-node-" + options.name()).start(() -> run(failed));
    }

    private static void close(ServerSocketChannel server) {
        try {
            if (server != null) server.close();
        } catch (IOException e) {
            // The socket is not used any more.
        }
    }

    private void run(Consumer<Throwable> failed) {
        try {
            loop.run(failed);
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
            System.getLogger("tidepool.node").log(System.Logger.Level.ERROR, "the node ends", e);
        } finally {
            ended.complete(null);
        }
    }

    /** Returns the address of the node, with the port that was really bound. */
    public InetSocketAddress address() {
        return address;
    }

    /** Returns the present status of the node; after its end, the last one that was asked for. */
    public NodeStatus status() {
        CompletableFuture<NodeStatus> asked = new CompletableFuture<>();
        loop.execute(() -> asked.complete(loop.status()));
        CompletableFuture.anyOf(asked, ended).join();
        if (asked.isDone()) lastStatus = asked.join();
        return lastStatus;
    }

    /**
     * Sets the {@code HOST:PORT} under which the node is registered in a roster. A client with a token that found the
     * node in a roster is admitted only if it dialed this address. This detects a relay at another address.
     */
    public void advertise(String address) {
        loop.advertise(address);
    }

    /**
     * Sets a source of more numbers by label, called for every status. It must be quick. Labels of current values end
     * with "-now".
     */
    public void tell(Supplier<Map<String, Long>> more) {
        loop.tell(more);
    }

    public NodeCounters counters() {
        return counters;
    }

    /**
     * Stops admitting clients, executes the received frames, tells all clients, and ends. A second call does nothing.
     */
    @Override
    public void close() {
        loop.stop();
        ended.join();
    }

    /** Waits for the end of the node, by {@link #close} or by a failure. Throws the failure. */
    public void awaitEnd() {
        ended.join();
        if (failure != null) throw new IllegalStateException("the node failed", failure);
    }
}
