package tidepool.node;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tidepool.base.Clock;
import tidepool.wire.NodeStatus;

/**
 * The loop of a node, the only thread that executes verbs. It waits for sockets, serves them one by one, and checks
 * timeouts. All other changes of pools and connections also run on this thread, between two connections.
 */
final class NodeLoop {
    /** Limit of connections accepted before the present ones are served again. */
    private static final int MAX_ACCEPTED_AT_ONCE = 16;

    /** Limit of passes over ready sockets before timeouts are checked. */
    private static final int MAX_LOOKS = 64;

    /** Limit of the time that the end waits for control calls under way. */
    private static final long MAX_FINISH_NANOS = 10_000_000_000L;

    private static final long ACCEPT_AGAIN_NANOS = 100_000_000L;

    private static final long FINISH_STEP_NANOS = 10_000_000L;

    private final Clock clock = Clock.system();
    private final Selector selector;
    private final ServerSocketChannel server;
    private final IdleStrategy idleStrategy;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final HostedPools pools;
    private final ControlWorker worker;
    private final ConnectionTable connections;
    private final TimeoutMonitor timeouts;
    private final StatusReport report;
    private final SelectionKey acceptKey;
    private long acceptAgainNanos;
    private long nowNanos;
    private boolean stopping;

    NodeLoop(NodeOptions options, ServerSocketChannel server, NodeCounters counters) throws IOException {
        this.server = server;
        this.nowNanos = clock.nowNanos();
        // Pools come first, because opening them is the step that may fail.
        this.pools = new HostedPools(
                options, new MemoryBudget(options.memoryBytes()), this::execute, this::journalHasProgressed, nowNanos);
        this.selector = Selector.open();
        this.worker = new ControlWorker(options.name(), this::failWith);
        this.connections = new ConnectionTable(options, counters, pools, worker, this);
        this.idleStrategy = new IdleStrategy(selector, tasks, connections, this::acceptSome);
        this.timeouts = new TimeoutMonitor(options, pools, connections);
        this.report = new StatusReport(options, (InetSocketAddress) server.getLocalAddress(), pools, connections);
        server.configureBlocking(false);
        this.acceptKey = server.register(selector, SelectionKey.OP_ACCEPT);
    }

    // ---- calls of other threads

    /** Runs a task in the loop, between two connections. */
    void execute(Runnable task) {
        tasks.add(task);
        wakeUp();
    }

    /** Called by the journal's thread, also before there are connections. */
    private void journalHasProgressed() {
        execute(() -> connections.acks().progress());
    }

    /** Ends the loop after the death of a thread that it needs. */
    private void failWith(Throwable cause) {
        execute(() -> {
            throw new IllegalStateException("a thread of the node has died", cause);
        });
    }

    /** Ends the loop after the received frames are executed. */
    void stop() {
        execute(() -> stopping = true);
    }

    private synchronized void wakeUp() {
        // Pools are opened before the selector, and recovery already posts tasks that free memory.
        if (selector != null && selector.isOpen()) selector.wakeup();
    }

    private synchronized void closeSelector() throws IOException {
        selector.close();
    }

    // ---- the loop

    /** Runs a task after the service of the current connection. Only for code that runs in the loop. */
    void soon(Runnable task) {
        tasks.add(task);
    }

    /** @param failed called with a failure before the clean-up, which may need resources that are gone */
    void run(Consumer<Throwable> failed) throws IOException {
        boolean inOrder = false;
        try {
            while (!stopping) turn();
            finish();
            inOrder = true;
        } catch (IOException | RuntimeException | Error e) {
            failed.accept(e);
            throw e;
        } finally {
            connections.endAll();
            worker.close();
            runLeftTasks();
            pools.release(inOrder);
            server.close();
            closeSelector();
        }
    }

    private void turn() throws IOException {
        idleStrategy.await(timeouts.nextNanos());
        tick();
        runTasks();
        connections.acks().turn();
        report.sample(nowNanos);
        if (nowNanos < timeouts.nextNanos()) return;
        // Frames that have arrived are read first. Otherwise a pause of this node would count as silence of a session.
        drain();
        timeouts.look(nowNanos);
        acceptAgain();
    }

    private void drain() throws IOException {
        for (int i = 0; i < MAX_LOOKS && idleStrategy.look(); i++) {
            runTasks();
            connections.acks().turn();
        }
        tick();
    }

    /** Executes the received frames, tells all clients, and sends the answers as far as the clients read them. */
    private void finish() throws IOException {
        // The socket stays bound to the end: a refused connection tells a client that the node serves no client any
        // more.
        acceptKey.cancel();
        drain();
        finish(
                MAX_FINISH_NANOS,
                () -> !connections.isControlPending() && !connections.acks().hasWaiters());
        connections.stopAll();
        finish(ConnectionTable.LINGER_NANOS, connections::areAllGone);
    }

    private void finish(long maxNanos, BooleanSupplier isDone) throws IOException {
        long untilNanos = nowNanos + maxNanos;
        while (!isDone.getAsBoolean() && nowNanos < untilNanos) {
            idleStrategy.await(nowNanos + FINISH_STEP_NANOS);
            tick();
            runTasks();
            connections.acks().turn();
        }
    }

    /** Runs the remaining tasks, which release resources. A failure of the journal is already known at this point. */
    private void runLeftTasks() {
        try {
            runTasks();
        } catch (RuntimeException e) {
            runLeftTasks(); // each task is tried once
        }
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) task.run();
    }

    /** Returns the time of this turn. */
    long nowNanos() {
        return nowNanos;
    }

    void tick() {
        nowNanos = clock.nowNanos();
    }

    void watch(long nanos) {
        timeouts.soon(nanos);
    }

    /** Sets the address that the node has registered. Any thread may call it. */
    void advertise(String address) {
        connections.advertise(address);
    }

    /** Sets a source of more numbers for every status. */
    void tell(Supplier<Map<String, Long>> more) {
        execute(() -> report.tell(more));
    }

    NodeStatus status() {
        return report.status(nowNanos);
    }

    private void acceptSome() {
        tick();
        for (int i = 0; i < MAX_ACCEPTED_AT_ONCE; i++) {
            try {
                SocketChannel channel = server.accept();
                if (channel == null) return;
                connections.enter(channel, selector);
            } catch (IOException e) {
                // Maybe no descriptor is left. An immediate retry would only keep the loop busy.
                acceptKey.interestOps(0);
                acceptAgainNanos = nowNanos + ACCEPT_AGAIN_NANOS;
                timeouts.soon(acceptAgainNanos);
                return;
            }
        }
    }

    private void acceptAgain() {
        if (acceptKey.interestOps() != 0) return;
        if (nowNanos >= acceptAgainNanos) acceptKey.interestOps(SelectionKey.OP_ACCEPT);
        else timeouts.soon(acceptAgainNanos);
    }
}
