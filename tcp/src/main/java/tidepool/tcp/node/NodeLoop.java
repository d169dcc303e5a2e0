package tidepool.tcp.node;

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

/**
 * The one thread of a node that carries out verbs: waits for sockets, has each served, and looks after the time. Whatever
 * else happens to pools and connections happens here too, between two of them.
 */
final class NodeLoop {
    /** Connections taken in before those that are in get their turn again. */
    private static final int MOST_ACCEPTED_AT_ONCE = 16;

    /** Times that sockets are looked at before somebody is judged by the clock. */
    private static final int MOST_LOOKS = 64;

    /** How long control calls that are under way may hold up the end. */
    private static final long MOST_FINISH_NANOS = 10_000_000_000L;

    private static final long ACCEPT_AGAIN_NANOS = 100_000_000L;

    private static final long FINISH_STEP_NANOS = 10_000_000L;

    private final Clock clock = Clock.system();
    private final Selector selector;
    private final ServerSocketChannel server;
    private final Idling idling;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final HostedPools pools;
    private final ControlWorker worker;
    private final Connections connections;
    private final Watch watch;
    private final StatusReport report;
    private final SelectionKey acceptKey;
    private long acceptAgainNanos;
    private long nowNanos;
    private boolean stopping;

    NodeLoop(NodeOptions options, ServerSocketChannel server, NodeCounters counters) throws IOException {
        this.server = server;
        this.nowNanos = clock.nowNanos();
        // Pools first: they are what may be wrong.
        this.pools = new HostedPools(
                options, new MemoryBudget(options.memoryBytes()), this::execute, this::journalHasProgressed, nowNanos);
        this.selector = Selector.open();
        this.worker = new ControlWorker(options.name(), this::failWith);
        this.connections = new Connections(options, counters, pools, worker, this);
        this.idling = new Idling(selector, tasks, connections, this::acceptSome);
        this.watch = new Watch(options, pools, connections);
        this.report = new StatusReport(options, (InetSocketAddress) server.getLocalAddress(), pools, connections);
        server.configureBlocking(false);
        this.acceptKey = server.register(selector, SelectionKey.OP_ACCEPT);
    }

    // ---- from other threads

    /** Runs something in the loop, between two connections. */
    void execute(Runnable task) {
        tasks.add(task);
        wakeUp();
    }

    /** The journal's thread says so before there are connections, too. */
    private void journalHasProgressed() {
        execute(() -> connections.keeping().progress());
    }

    /** Ends the loop by the end of a thread that it cannot do without. */
    private void failWith(Throwable cause) {
        execute(() -> {
            throw new IllegalStateException("a thread of the node has died", cause);
        });
    }

    /** Ends the loop when what was received is carried out. */
    void stop() {
        execute(() -> stopping = true);
    }

    private synchronized void wakeUp() {
        // Pools come first, and give back what a journal frees while it is read.
        if (selector != null && selector.isOpen()) selector.wakeup();
    }

    private synchronized void closeSelector() throws IOException {
        selector.close();
    }

    // ---- the loop

    /** Runs something when the connection that is being served is done; for those inside the loop. */
    void soon(Runnable task) {
        tasks.add(task);
    }

    /** @param failed is told of the end before anything is cleaned up, which may need what is not there any more */
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
        idling.await(watch.nextNanos());
        tick();
        runTasks();
        connections.keeping().turn();
        report.sample(nowNanos);
        if (nowNanos < watch.nextNanos()) return;
        // What has arrived is read first: our own pauses are nobody's silence.
        drain();
        watch.look(nowNanos);
        acceptAgain();
    }

    private void drain() throws IOException {
        for (int i = 0; i < MOST_LOOKS && idling.look(); i++) {
            runTasks();
            connections.keeping().turn();
        }
        tick();
    }

    /** What was received is carried out, everybody is told, and what was answered is sent as far as it is taken. */
    private void finish() throws IOException {
        // It stays bound to the end: an address that refuses connections says that nobody is served there any more.
        acceptKey.cancel();
        drain();
        finish(
                MOST_FINISH_NANOS,
                () -> !connections.isControlPending() && !connections.keeping().isAnybodyWaiting());
        connections.stopAll();
        finish(Connections.LINGER_NANOS, connections::areAllGone);
    }

    private void finish(long mostNanos, BooleanSupplier isDone) throws IOException {
        long untilNanos = nowNanos + mostNanos;
        while (!isDone.getAsBoolean() && nowNanos < untilNanos) {
            idling.await(nowNanos + FINISH_STEP_NANOS);
            tick();
            runTasks();
            connections.keeping().turn();
        }
    }

    /** They give things back; whether the journal has failed is known by now. */
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

    /** The time of this turn. */
    long nowNanos() {
        return nowNanos;
    }

    void tick() {
        nowNanos = clock.nowNanos();
    }

    void watch(long nanos) {
        watch.soon(nanos);
    }

    /** Says where the node has registered. From any thread. */
    void advertise(String address) {
        connections.advertise(address);
    }

    /** Has something told in every status. */
    void tell(Supplier<Map<String, Long>> more) {
        execute(() -> report.tell(more));
    }

    NodeStatus status() {
        return report.status(nowNanos);
    }

    private void acceptSome() {
        tick();
        for (int i = 0; i < MOST_ACCEPTED_AT_ONCE; i++) {
            try {
                SocketChannel channel = server.accept();
                if (channel == null) return;
                connections.enter(channel, selector);
            } catch (IOException e) {
                // Maybe no descriptor is left, and asking again at once would only keep the loop busy.
                acceptKey.interestOps(0);
                acceptAgainNanos = nowNanos + ACCEPT_AGAIN_NANOS;
                watch.soon(acceptAgainNanos);
                return;
            }
        }
    }

    private void acceptAgain() {
        if (acceptKey.interestOps() != 0) return;
        if (nowNanos >= acceptAgainNanos) acceptKey.interestOps(SelectionKey.OP_ACCEPT);
        else watch.soon(acceptAgainNanos);
    }
}
