package tidepool.node;

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
import tidepool.wire.AuthMethod;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;
import tidepool.wire.Transports;
import tidepool.wire.tls.NotTls;

/** The connections of a node, with the operations on one: admit, serve, refuse, cut, end. */
final class ConnectionTable {
    /** Time that a refused client has to read the refusal. */
    static final long LINGER_NANOS = 1_000_000_000L;

    /** Limit of reads from one connection before other connections are served. */
    private static final int MAX_READS_AT_ONCE = 4;

    private final NodeOptions options;
    private final NodeLimits limits;
    private final NodeCounters counters;
    private final NodeLoop loop;
    private final AuditLog auditLog;
    private final BufferPool buffers;
    private final LoginBackoff backOff = new LoginBackoff();
    private final AdmissionControl admission;
    private final Handshake handshake;
    private final FrameReader reader;
    private final Map<Long, ClientConnection> all = new LinkedHashMap<>();
    private final JournalAcks acks;
    private final ControlOffload offload;
    private long entered;

    ConnectionTable(
            NodeOptions options, NodeCounters counters, HostedPools pools, ControlWorker worker, NodeLoop loop) {
        this.options = options;
        this.limits = options.limits();
        this.buffers = new BufferPool(limits.connectionBytes());
        this.counters = counters;
        this.loop = loop;
        this.auditLog = new AuditLog(options.name());
        this.admission = new AdmissionControl(limits, options.authenticator());
        this.handshake = new Handshake(options, pools);
        this.acks = new JournalAcks(pools.journal(), this);
        this.offload = new ControlOffload(loop, worker, this);
        this.reader = new FrameReader(limits, counters, this, new ControlExecutor(offload));
    }

    /** Returns the answers that wait for the journal. */
    JournalAcks acks() {
        return acks;
    }

    /** Returns whether no control call is under way. */
    boolean isQuiet() {
        return offload.isQuiet();
    }

    /** Returns whether clients have to authenticate. */
    boolean hasNames() {
        return options.authenticator().method() != AuthMethod.NONE;
    }

    Collection<ClientConnection> all() {
        return all.values();
    }

    boolean areAllGone() {
        return all.isEmpty();
    }

    boolean isControlPending() {
        for (ClientConnection connection : all.values()) if (connection.isControlPending()) return true;
        return false;
    }

    AuditLog auditLog() {
        return auditLog;
    }

    BufferPool buffers() {
        return buffers;
    }

    NodeCounters counters() {
        return counters;
    }

    long nowNanos() {
        return loop.nowNanos();
    }

    // ---- admission

    /** Admits a new socket as an unauthenticated connection, or refuses it at once. */
    void enter(SocketChannel channel, Selector selector) throws IOException {
        counters.count(NodeCounter.CONNECTIONS_ACCEPTED);
        ClientConnection connection = null;
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            InetSocketAddress from = (InetSocketAddress) channel.getRemoteAddress();
            connection = new ClientConnection(
                    ++entered,
                    options.transports().accepted(channel),
                    from.getAddress().getHostAddress(),
                    from.getPort(),
                    buffers,
                    limits.frameBytes(),
                    nowNanos());
            String closed = admission.closedBecause(connection.host);
            if (closed != null) {
                turnAway(connection, closed);
                return;
            }
            connection.key = channel.register(selector, SelectionKey.OP_READ, connection);
        } finally {
            if (connection == null || connection.key == null) channel.close();
        }
        all.put(connection.number, connection);
        admission.entered(connection);
        loop.watch(nowNanos() + limits.handshake().toNanos());
    }

    private void turnAway(ClientConnection connection, String why) {
        counters.count(NodeCounter.CONNECTIONS_REFUSED_AT_ONCE);
        counters.countCode(NodeCounter.REFUSED_VERSION, RefusedCode.LIMIT);
        auditLog.refused(connection.address, "", why);
        try {
            connection.out().send(Frame.REFUSED, RefusedCode.LIMIT, 0, why);
            connection.out().flush(nowNanos());
        } catch (IOException e) {
            // The client finds the connection closed.
        } finally {
            connection.close();
        }
    }

    /** Sets the address that the node has registered. Any thread may call it. */
    void advertise(String address) {
        handshake.advertise(address);
    }

    /** Answers the HELLO of a new connection with a CHALLENGE. */
    void hello(ClientConnection from, MemorySegment frame, long at, int bytes) throws ConnectionRefusedException {
        handshake.hello(from, frame, at, bytes);
    }

    /** Verifies the PROOF of a new connection. A wrong one is refused after a delay. */
    void proof(ClientConnection from, MemorySegment frame, long at, int bytes) throws ConnectionRefusedException {
        try {
            handshake.proof(from, frame, at, bytes, nowNanos());
        } catch (ConnectionRefusedException e) {
            if (e.code() != RefusedCode.CREDENTIALS) throw e;
            from.phase = ClientConnection.Phase.DELAYED;
            from.dueNanos = nowNanos() + backOff.failed(from.host, nowNanos());
            loop.watch(from.dueNanos);
            return;
        }
        String tooMany = admission.known(from);
        if (tooMany != null) throw new ConnectionRefusedException(RefusedCode.LIMIT, tooMany);
        long[] words = handshake.welcome(from);
        from.out().send(Frame.WELCOME, 0, 0, words, words.length);
        if (from.pool == null) return;
        from.pool.controls().add(from);
        long[] suspects = from.pool.suspected();
        if (suspects.length > 0) from.out().send(Frame.SUSPECTS, 0, 0, suspects, suspects.length);
    }

    // ---- service

    /**
     * Reads and executes the frames that have arrived and sends the answers in one write. Returns false if none had.
     */
    boolean serve(ClientConnection connection) {
        if (connection.phase == ClientConnection.Phase.CLOSED) return false;
        loop.tick();
        boolean any = false;
        try {
            if (connection.out().wantsFlush()) flush(connection);
            if (connection.phase == ClientConnection.Phase.CLOSING && connection.discard() < 0) {
                end(connection);
                return true;
            }
            for (int i = 0; i < MAX_READS_AT_ONCE && !connection.isBlocked(limits); i++) {
                int bytes = connection.read();
                if (bytes < 0) {
                    end(connection);
                    return true;
                }
                if (bytes > 0) {
                    any = true;
                    heard(connection, bytes);
                }
                reader.execute(connection);
                if (!connection.mayHaveMore()) break;
            }
            settle(connection);
        } catch (ConnectionRefusedException e) {
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
     * Cuts the connections that hold the most memory until all together are below the limit. A connection that reads
     * its answers and completes its frames holds little.
     */
    private void relieve() {
        while (buffers.isOver()) {
            ClientConnection largest = null;
            for (ClientConnection each : all.values())
                if (largest == null || each.heldBytes() > largest.heldBytes()) largest = each;
            if (largest == null || largest.heldBytes() == 0) return;
            counters.countCode(NodeCounter.REFUSED_VERSION, RefusedCode.LIMIT);
            auditLog.refused(
                    largest.address,
                    largest.client,
                    "the memory for connections is used up, and this one holds most of it: bytes="
                            + largest.heldBytes());
            end(largest);
        }
    }

    /**
     * Ends a connection whose socket failed. A broken socket is not logged. Bytes that are not TLS, altered bytes and a
     * wrong certificate are logged as refusals.
     */
    private void lost(ClientConnection connection, IOException e) {
        if (e instanceof NotTls) tellPlainly(connection, e.getMessage());
        if (e.getCause() instanceof SSLException) {
            counters.countCode(NodeCounter.REFUSED_VERSION, RefusedCode.CREDENTIALS);
            auditLog.refused(
                    connection.address, connection.client, "code=" + RefusedCode.CREDENTIALS + " " + e.getMessage());
        }
        end(connection);
    }

    /** Refuses in plain text, because a client that does not use TLS could not read an encrypted refusal. */
    private void tellPlainly(ClientConnection connection, String why) {
        counters.countCode(NodeCounter.REFUSED_VERSION, RefusedCode.CREDENTIALS);
        auditLog.refused(connection.address, connection.client, "code=" + RefusedCode.CREDENTIALS + " " + why);
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
            // The client finds the connection closed.
        } finally {
            if (plain != null) plain.drop();
        }
    }

    /** Continues with frames that had to wait. */
    void resume(ClientConnection connection) {
        if (connection.isOver()) return;
        try {
            reader.execute(connection);
            settle(connection);
        } catch (ConnectionRefusedException e) {
            refuse(connection, e.code(), e.getMessage());
        } catch (IOException e) {
            end(connection);
        } catch (RuntimeException e) {
            failed(connection, e);
        }
        if (buffers.isOver()) loop.soon(this::relieve);
    }

    /** Defers the answer that is in the outbox and not yet appended until the ticket is kept. */
    void hold(ClientConnection connection, long ticket, boolean refusable) {
        acks.hold(connection, ticket, refusable);
    }

    /** Runs a task after the service of the current connection. */
    void soon(Runnable task) {
        loop.soon(task);
    }

    void whenKept(ClientConnection connection, JournalListener listener) {
        acks.whenKept(connection, listener);
    }

    /** Sends answers that are not deferred any more, also on a connection that is being closed. */
    void settleKept(ClientConnection connection) {
        if (connection.phase == ClientConnection.Phase.CLOSED) return;
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

    void reply(ClientConnection to, int sequence, ControlReply reply) {
        reader.reply(to, sequence, reply);
    }

    private void heard(ClientConnection connection, int bytes) {
        connection.heardNanos = nowNanos();
        HostedSession session = connection.session;
        if (session != null) {
            if (session.isSuspected()) loop.watch(nowNanos()); // the suspicion ends, and its lease is checked again
            session.heard(nowNanos());
        }
        counters.count(NodeCounter.READS);
        counters.add(NodeCounter.BYTES_IN, bytes);
    }

    private void settle(ClientConnection connection) throws IOException {
        connection.dropInputIfEmpty();
        if (connection.out().wantsFlush()) flush(connection);
        // The selector does not report bytes that are already decrypted.
        if (connection.transport.hasBuffered() && !connection.isBlocked(limits)) loop.soon(() -> serve(connection));
        interest(connection);
    }

    private void flush(ClientConnection connection) throws IOException {
        long before = connection.out().bytesOut();
        boolean wasBlocked = connection.isBlocked(limits);
        boolean gone = connection.out().flush(nowNanos());
        counters.count(NodeCounter.WRITES);
        counters.add(NodeCounter.BYTES_OUT, connection.out().bytesOut() - before);
        if (connection.out().isStuck())
            loop.watch(nowNanos() + limits.slowReader().toNanos());
        if (wasBlocked && !connection.isBlocked(limits) && connection.inputBytes() > 0)
            loop.soon(() -> resume(connection));
        if (gone && connection.phase == ClientConnection.Phase.CLOSING)
            connection.transport.channel().shutdownOutput();
    }

    private void interest(ClientConnection connection) {
        if (connection.phase == ClientConnection.Phase.CLOSED) return;
        boolean reads = connection.phase == ClientConnection.Phase.CLOSING || !connection.isBlocked(limits);
        int ops = reads ? SelectionKey.OP_READ : 0;
        if (connection.out().wantsFlush()) ops |= SelectionKey.OP_WRITE;
        if (connection.ops != ops) {
            connection.ops = ops;
            connection.key.interestOps(ops);
        }
    }

    // ---- end of a connection

    /** Tells the control connections of a pool that a session is not suspected any more. */
    void tellOver(HostedPool pool, int session) {
        long[] words = {session};
        for (ClientConnection control : List.copyOf(pool.controls())) {
            control.out().send(Frame.SUSPECTS, 1, 0, words, 1);
            loop.soon(() -> resume(control)); // not now: this connection may be the one in service
        }
    }

    /**
     * Refuses a connection. It is closed when the client has read the reason, or after {@link #LINGER_NANOS}. Frames
     * that it sent and that were not executed are dropped.
     */
    void refuse(ClientConnection connection, int code, String why) {
        if (connection.isOver()) return;
        counters.countCode(NodeCounter.REFUSED_VERSION, code);
        // Other clients revoke a client that died or was replaced. This is normal operation and no error.
        if (code == RefusedCode.REVOKED) auditLog.note("cut from=" + connection.address + ": " + why);
        else if (code != RefusedCode.STOPPING)
            auditLog.refused(connection.address, connection.client, "code=" + code + " " + why);
        leave(connection);
        connection.phase = ClientConnection.Phase.CLOSING;
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

    /** Cuts a connection with a deferred answer that cannot become true and cannot be replaced by a refusal. */
    void cut(ClientConnection connection) {
        auditLog.refused(connection.address, connection.client, "the disk is full, and more than a FLUSH waits for it");
        end(connection);
    }

    /**
     * Ends a connection after an exception; the others continue. An {@link Error} is not caught here and ends the node.
     */
    private void failed(ClientConnection connection, Throwable e) {
        counters.count(NodeCounter.INTERNAL_ERRORS);
        auditLog.failed("a frame could not be carried out: from=" + connection.address, e);
        end(connection);
    }

    /** Closes a connection and releases all that it held. */
    void end(ClientConnection connection) {
        if (connection.phase == ClientConnection.Phase.CLOSED) return;
        leave(connection);
        connection.close();
        all.remove(connection.number);
        counters.count(NodeCounter.CONNECTIONS_CLOSED);
    }

    void endAll() {
        for (ClientConnection connection : List.copyOf(all.values())) end(connection);
    }

    /** Tells all clients that the node stops. */
    void stopAll() {
        for (ClientConnection connection : List.copyOf(all.values()))
            refuse(connection, RefusedCode.STOPPING, "the node stops");
    }

    /** Unbinds a connection from its client, pool and session. */
    private void leave(ClientConnection connection) {
        if (connection.isOver()) return;
        admission.left(connection, !connection.isStranger());
        if (connection.pool != null) connection.pool.controls().remove(connection);
        if (connection.session == null) return;
        connection.session.remove(connection, connection.goodbye, nowNanos());
        loop.watch(nowNanos() + options.grace().toNanos());
    }
}
