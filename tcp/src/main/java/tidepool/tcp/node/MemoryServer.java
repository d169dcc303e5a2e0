package tidepool.tcp.node;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tidepool.fabric.FabricException;
import tidepool.tcp.secure.Gate;

/** A memory node that serves its pools to clients over TCP, as {@code docs/wire.md} says. */
public final class MemoryServer implements AutoCloseable {
    private static final int BACKLOG = 128;

    private final InetSocketAddress address;
    private final NodeCounters counters = new NodeCounters();
    private final NodeLoop loop;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile Throwable failure;
    private volatile NodeStatus lastStatus;

    /** Binds and serves; throws with a sentence if that cannot be. */
    public static MemoryServer start(NodeOptions options) {
        return start(options, _ -> {});
    }

    /**
     * Binds and serves; throws with a sentence if that cannot be.
     *
     * @param failed is told, in the node's thread, why the node ends if it was not asked to, before it cleans up
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
        if (!loopback && options.gate().method() == Gate.NONE)
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
            // It is closed as far as we are concerned.
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

    /** Where it listens, with the port that it really has. */
    public InetSocketAddress address() {
        return address;
    }

    /** What it is doing now; after its end, what was known last. */
    public NodeStatus status() {
        CompletableFuture<NodeStatus> asked = new CompletableFuture<>();
        loop.execute(() -> asked.complete(loop.status()));
        CompletableFuture.anyOf(asked, ended).join();
        if (asked.isDone()) lastStatus = asked.join();
        return lastStatus;
    }

    /**
     * Says under which {@code HOST:PORT} the node stands in a roster. A client with a token that has the node from a roster is
     * let in only if it dialed this address; so a relay at another address is found out.
     */
    public void advertise(String address) {
        loop.advertise(address);
    }

    /** Has something told in every status: numbers by label, quickly; what is now and not counted ends with "-now". */
    public void tell(Supplier<Map<String, Long>> more) {
        loop.tell(more);
    }

    public NodeCounters counters() {
        return counters;
    }

    /** Takes in nobody more, finishes what was received, tells everybody, and ends. Closing twice does nothing. */
    @Override
    public void close() {
        loop.stop();
        ended.join();
    }

    /** Waits until it has ended, by {@link #close} or by a failure, which is thrown. */
    public void awaitEnd() {
        ended.join();
        if (failure != null) throw new IllegalStateException("the node failed", failure);
    }
}
