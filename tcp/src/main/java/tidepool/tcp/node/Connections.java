package tidepool.tcp.node;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import tidepool.tcp.secure.Gate;
import tidepool.tcp.secure.NotTls;
import tidepool.tcp.wire.Frame;
import tidepool.tcp.wire.RefusedCode;
import tidepool.tcp.wire.Transports;

/** The connections of a node, and what can happen to one: it is let in, served, refused, cut, ended. */
final class Connections {
    /** How long a connection that was refused may take to hear it. */
    static final long LINGER_NANOS = 1_000_000_000L;

    /** Times that one connection is read before the others get their turn. */
    private static final int MOST_READS_AT_ONCE = 4;

    private final NodeOptions options;
    private final NodeLimits limits;
    private final NodeCounters counters;
    private final NodeLoop loop;
    private final Audit audit;
    private final Buffers buffers;
    private final BackOff backOff = new BackOff();
    private final Doorkeeper door;
    private final Handshake handshake;
    private final Frames frames;
    private final Map<Long, Connection> all = new LinkedHashMap<>();
    private final Keeping keeping;
    private final Beside beside;
    private long entered;

    Connections(NodeOptions options, NodeCounters counters, HostedPools pools, ControlWorker worker, NodeLoop loop) {
        this.options = options;
        this.limits = options.limits();
        this.buffers = new Buffers(limits.connectionBytes());
        this.counters = counters;
        this.loop = loop;
        this.audit = new Audit(options.name());
        this.door = new Doorkeeper(limits, options.gate());
        this.handshake = new Handshake(options, pools);
        this.keeping = new Keeping(pools.journal(), this);
        this.beside = new Beside(loop, worker, this);
        this.frames = new Frames(limits, counters, this, new ControlExecutor(beside));
    }

    /** What waits for the journal. */
    Keeping keeping() {
        return keeping;
    }

    /** Whether no control call is under way. */
    boolean isQuiet() {
        return beside.isQuiet();
    }

    /** Whether clients have to say who they are. */
    boolean hasNames() {
        return options.gate().method() != Gate.NONE;
    }

    Collection<Connection> all() {
        return all.values();
    }

    boolean areAllGone() {
        return all.isEmpty();
    }

    boolean isControlPending() {
        for (Connection connection : all.values()) if (connection.isControlPending()) return true;
        return false;
    }

    Audit audit() {
        return audit;
    }

    Buffers buffers() {
        return buffers;
    }

    NodeCounters counters() {
        return counters;
    }

    long nowNanos() {
        return loop.nowNanos();
    }

    // ---- coming in

    /** Lets a fresh socket in as a stranger, or says at once why not. */
    void enter(SocketChannel channel, Selector selector) throws IOException {
        counters.count(NodeCounter.CONNECTIONS_ACCEPTED);
        Connection connection = null;
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            InetSocketAddress from = (InetSocketAddress) channel.getRemoteAddress();
            connection = new Connection(
                    ++entered,
                    options.transports().accepted(channel),
                    from.getAddress().getHostAddress(),
                    from.getPort(),
                    buffers,
                    limits.frameBytes(),
                    nowNanos());
            String closed = door.closedBecause(connection.host);
            if (closed != null) {
                turnAway(connection, closed);
                return;
            }
            connection.key = channel.register(selector, SelectionKey.OP_READ, connection);
        } finally {
            if (connection == null || connection.key == null) channel.close();
        }
        all.put(connection.number, connection);
        door.entered(connection);
        loop.watch(nowNanos() + limits.handshake().toNanos());
    }

    private void turnAway(Connection connection, String why) {
        counters.count(NodeCounter.CONNECTIONS_REFUSED_AT_ONCE);
        counters.countCode(NodeCounter.REFUSED_VERSION, RefusedCode.LIMIT);
        audit.refused(connection.address, "", why);
        try {
            connection.out().send(Frame.REFUSED, RefusedCode.LIMIT, 0, why);
            connection.out().flush(nowNanos());
        } catch (IOException e) {
            // It will find out.
        } finally {
            connection.close();
        }
    }

    /** Says where the node has registered. From any thread. */
    void advertise(String address) {
        handshake.advertise(address);
    }

    /** Challenges a stranger. */
    void hello(Connection from, MemorySegment frame, long at, int bytes) throws Refused {
        handshake.hello(from, frame, at, bytes);
    }

    /** Judges a stranger's proof; a wrong one is answered later. */
    void proof(Connection from, MemorySegment frame, long at, int bytes) throws Refused {
        try {
            handshake.proof(from, frame, at, bytes, nowNanos());
        } catch (Refused e) {
            if (e.code() != RefusedCode.CREDENTIALS) throw e;
            from.phase = Connection.Phase.DELAYED;
            from.dueNanos = nowNanos() + backOff.failed(from.host, nowNanos());
            loop.watch(from.dueNanos);
            return;
        }
        String tooMany = door.known(from);
        if (tooMany != null) throw new Refused(RefusedCode.LIMIT, tooMany);
        long[] words = handshake.welcome(from);
        from.out().send(Frame.WELCOME, 0, 0, words, words.length);
        if (from.pool == null) return;
        from.pool.controls().add(from);
        long[] suspects = from.pool.suspected();
        if (suspects.length > 0) from.out().send(Frame.SUSPECTS, 0, 0, suspects, suspects.length);
    }

    // ---- being served

    /** Reads what is there, carries it out, and sends the answers in one write. False if nothing was there. */
    boolean serve(Connection connection) {
        if (connection.phase == Connection.Phase.CLOSED) return false;
        loop.tick();
        boolean any = false;
        try {
            if (connection.out().wantsFlush()) flush(connection);
            if (connection.phase == Connection.Phase.CLOSING && connection.discard() < 0) {
                end(connection);
                return true;
            }
            for (int i = 0; i < MOST_READS_AT_ONCE && !connection.isBlocked(limits); i++) {
                int bytes = connection.read();
                if (bytes < 0) {
                    end(connection);
                    return true;
                }
                if (bytes > 0) {
                    any = true;
                    heard(connection, bytes);
                }
                frames.carryOut(connection);
                if (!connection.mayHaveMore()) break;
            }
            settle(connection);
        } catch (Refused e) {
            refuse(connection, e.code(), e.getMessage());
        } catch (IOException e) {
            lost(connection, e);
        } catch (RuntimeException e) {
            failed(connection, e);
        }
        if (buffers.isOver()) relieve();
        return any;
    }

    /**
     * Connections hold more memory than they may together, and those that hold the most are cut. A connection that
     * reads its
     * answers and ends its frames holds little.
     */
    private void relieve() {
        while (buffers.isOver()) {
            Connection most = null;
            for (Connection each : all.values()) if (most == null || each.heldBytes() > most.heldBytes()) most = each;
            if (most == null || most.heldBytes() == 0) return;
            counters.countCode(NodeCounter.REFUSED_VERSION, RefusedCode.LIMIT);
            audit.refused(
                    most.address,
                    most.client,
                    "the memory for connections is used up, and this one holds most of it: bytes=" + most.heldBytes());
            end(most);
        }
    }

    /** A socket that broke is nobody's fault; what is no TLS, or was changed on its way, or a wrong certificate, is. */
    private void lost(Connection connection, IOException e) {
        if (e instanceof NotTls) tellPlainly(connection, e.getMessage());
        if (e.getCause() instanceof SSLException) {
            counters.countCode(NodeCounter.REFUSED_VERSION, RefusedCode.CREDENTIALS);
            audit.refused(
                    connection.address, connection.client, "code=" + RefusedCode.CREDENTIALS + " " + e.getMessage());
        }
        end(connection);
    }

    /** A client that does not know that this is TLS would understand nothing else. */
    private void tellPlainly(Connection connection, String why) {
        counters.countCode(NodeCounter.REFUSED_VERSION, RefusedCode.CREDENTIALS);
        audit.refused(connection.address, connection.client, "code=" + RefusedCode.CREDENTIALS + " " + why);
        Outbox plain = null;
        try {
            plain = new Outbox(Transports.PLAIN.accepted(connection.transport.channel()), buffers, limits.frameBytes());
            plain.send(
                    Frame.REFUSED,
                    RefusedCode.CREDENTIALS,
                    0,
                    "this node speaks TLS and nothing else: give tls=on&ca=FILE in the URL");
            plain.flush(nowNanos());
        } catch (IOException e) {
            // It finds the connection closed.
        } finally {
            if (plain != null) plain.drop();
        }
    }

    /** Goes on with frames that had to wait. */
    void resume(Connection connection) {
        if (connection.isOver()) return;
        try {
            frames.carryOut(connection);
            settle(connection);
        } catch (Refused e) {
            refuse(connection, e.code(), e.getMessage());
        } catch (IOException e) {
            end(connection);
        } catch (RuntimeException e) {
            failed(connection, e);
        }
        if (buffers.isOver()) loop.soon(this::relieve);
    }

    /** The answer that lies in the outbox, not yet appended, leaves when that is kept. */
    void hold(Connection connection, long ticket, boolean refusable) {
        keeping.hold(connection, ticket, refusable);
    }

    /** Runs something when the connection that is being served is done. */
    void soon(Runnable task) {
        loop.soon(task);
    }

    void whenKept(Connection connection, KeptListener listener) {
        keeping.whenKept(connection, listener);
    }

    /** Answers that were held may leave, also of one that is being closed. */
    void settleKept(Connection connection) {
        if (connection.phase == Connection.Phase.CLOSED) return;
        if (!connection.isOver()) {
            resume(connection);
            return;
        }
        try {
            flush(connection);
            interest(connection);
        } catch (IOException e) {
            end(connection);
        }
    }

    void reply(Connection to, int sequence, ControlReply reply) {
        frames.reply(to, sequence, reply);
    }

    private void heard(Connection connection, int bytes) {
        connection.heardNanos = nowNanos();
        HostedSession session = connection.session;
        if (session != null) {
            if (session.isSuspected()) loop.watch(nowNanos()); // it is forgiven, and watched again
            session.heard(nowNanos());
        }
        counters.count(NodeCounter.READS);
        counters.add(NodeCounter.BYTES_IN, bytes);
    }

    private void settle(Connection connection) throws IOException {
        connection.dropInputIfEmpty();
        if (connection.out().wantsFlush()) flush(connection);
        // No selector knows of bytes that are decrypted already.
        if (connection.transport.hasBuffered() && !connection.isBlocked(limits)) loop.soon(() -> serve(connection));
        interest(connection);
    }

    private void flush(Connection connection) throws IOException {
        long before = connection.out().bytesOut();
        boolean wasBlocked = connection.isBlocked(limits);
        boolean gone = connection.out().flush(nowNanos());
        counters.count(NodeCounter.WRITES);
        counters.add(NodeCounter.BYTES_OUT, connection.out().bytesOut() - before);
        if (connection.out().isStuck())
            loop.watch(nowNanos() + limits.slowReader().toNanos());
        if (wasBlocked && !connection.isBlocked(limits) && connection.inputBytes() > 0)
            loop.soon(() -> resume(connection));
        if (gone && connection.phase == Connection.Phase.CLOSING)
            connection.transport.channel().shutdownOutput();
    }

    private void interest(Connection connection) {
        if (connection.phase == Connection.Phase.CLOSED) return;
        boolean reads = connection.phase == Connection.Phase.CLOSING || !connection.isBlocked(limits);
        int ops = reads ? SelectionKey.OP_READ : 0;
        if (connection.out().wantsFlush()) ops |= SelectionKey.OP_WRITE;
        if (connection.ops != ops) {
            connection.ops = ops;
            connection.key.interestOps(ops);
        }
    }

    // ---- going away

    /** Tells those who were told that a session is suspected that it is not any more. */
    void tellOver(HostedPool pool, int session) {
        long[] words = {session};
        for (Connection control : List.copyOf(pool.controls())) {
            control.out().send(Frame.SUSPECTS, 1, 0, words, 1);
            loop.soon(() -> resume(control)); // one of them may be being served
        }
    }

    /** Says why, and closes when that is said, or could not be said in time. What it sent and still waits is dropped. */
    void refuse(Connection connection, int code, String why) {
        if (connection.isOver()) return;
        counters.countCode(NodeCounter.REFUSED_VERSION, code);
        // A client that died or was replaced is shut out by others: that is their daily work, and no error here.
        if (code == RefusedCode.REVOKED) audit.note("cut from=" + connection.address + ": " + why);
        else if (code != RefusedCode.STOPPING)
            audit.refused(connection.address, connection.client, "code=" + code + " " + why);
        leave(connection);
        connection.phase = Connection.Phase.CLOSING;
        connection.dueNanos = nowNanos() + LINGER_NANOS;
        loop.watch(connection.dueNanos);
        connection.dropInput();
        connection.out().refuse(code, why);
        try {
            flush(connection);
            interest(connection);
        } catch (IOException e) {
            end(connection);
        }
    }

    /** It was answered what cannot be held to, and cannot be told otherwise. */
    void cut(Connection connection) {
        audit.refused(connection.address, connection.client, "the disk is full, and more than a FLUSH waits for it");
        end(connection);
    }

    /** The others go on. An {@link Error} is no matter of one connection: it ends the node. */
    private void failed(Connection connection, Throwable e) {
        counters.count(NodeCounter.INTERNAL_ERRORS);
        audit.failed("a frame could not be carried out: from=" + connection.address, e);
        end(connection);
    }

    /** Closes it and gives back all that it had. */
    void end(Connection connection) {
        if (connection.phase == Connection.Phase.CLOSED) return;
        leave(connection);
        connection.close();
        all.remove(connection.number);
        counters.count(NodeCounter.CONNECTIONS_CLOSED);
    }

    void endAll() {
        for (Connection connection : List.copyOf(all.values())) end(connection);
    }

    /** Everybody is told that the node stops. */
    void stopAll() {
        for (Connection connection : List.copyOf(all.values()))
            refuse(connection, RefusedCode.STOPPING, "the node stops");
    }

    /** It is nobody's connection any more. */
    private void leave(Connection connection) {
        if (connection.isOver()) return;
        door.left(connection, !connection.isStranger());
        if (connection.pool != null) connection.pool.controls().remove(connection);
        if (connection.session == null) return;
        connection.session.remove(connection, connection.goodbye, nowNanos());
        loop.watch(nowNanos() + options.grace().toNanos());
    }
}
