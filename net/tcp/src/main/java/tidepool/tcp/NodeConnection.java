package tidepool.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Clock;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException.Reason;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;
import tidepool.wire.Transport;

/**
 * One connection to a memory node after its handshake. Threads add frames under the write lock of its {@link Endpoint}.
 * The thread that holds the endpoint's reader role takes in what arrives.
 */
final class NodeConnection {
    /** The maximum number of unanswered frames; nodes allow more. Frames beyond this number wait in the backlog. */
    private static final int MAX_FLIGHTS = 1024;

    /**
     * The maximum number of bytes that wait for the socket. Frames beyond them wait in their rounds, so a BEAT does not
     * wait for these frames.
     */
    private static final int MAX_UNSENT = 256 << 10;

    /**
     * Rounds that are worth a write of their own. The node executes them while the client assembles later rounds, and
     * its answers arrive while others are read.
     */
    static final int WORTH_SENDING = 32;

    /** Maximum bytes of a text from the node; longer texts are cut. */
    private static final int MAX_TEXT = 4096;

    private static final long NOTHING = Long.MIN_VALUE;

    final int node;
    final WelcomeMessage welcome;
    final OutBuffer out = new OutBuffer();
    final InFlightRing flights;

    /**
     * Places among the flights that are reserved for a BEAT. Otherwise a busy session could not send its heartbeat and
     * would lose its lease.
     */
    private final int kept;

    private final Transport transport;
    private final FrameListener listener;
    private final InBuffer in = new InBuffer();
    private int sequence;

    /** Rounds assembled since the last flush. */
    private int unflushed;

    private int links;

    /** Frames that wait for room, in the order of posting. */
    private final ArrayDeque<Unsent> backlog = new ArrayDeque<>();

    /** Whether the backlog has entries; readable without the write lock. */
    private volatile boolean backlogged;

    private SelectionKey key;
    private boolean selectsWrites; // used by the reader only

    /**
     * Why the connection is broken; null while it is up. Set once, by the first thread that notices. The reader then
     * fails everything that is under way.
     */
    private volatile String broken;

    /** Whether a selector has reported that bytes have arrived. Used by the reader only. */
    boolean ready;

    private volatile int refusedCode;
    private volatile boolean dead;
    /** Until when the session accepts answers; shared by the connections of a session. */
    private volatile LeaseWindow lease = LeaseWindow.FOR_EVER;

    private volatile long heardNanos = Clock.system().nowNanos();
    private volatile long takenNanos = heardNanos; // when a full socket last accepted bytes
    private long owesSince = NOTHING; // used by the heartbeat thread only

    NodeConnection(int node, Transport transport, WelcomeMessage welcome, FrameListener listener) {
        this.node = node;
        this.transport = transport;
        this.welcome = welcome;
        this.listener = listener;
        int capacity = Integer.highestOneBit(Math.max(1, Math.min(MAX_FLIGHTS, welcome.maxOutstanding())));
        this.flights = new InFlightRing(capacity);
        this.kept = capacity > 1 ? 1 : 0;
    }

    /** Sets the lease window. Called before the connection is used. */
    void leaseWindow(LeaseWindow of) {
        lease = of;
    }

    void register(Selector selector) throws IOException {
        key = transport.channel().register(selector, SelectionKey.OP_READ, this);
    }

    /**
     * Selects for writing if bytes are unsent. Called by the reader before it sleeps. The selector then wakes the
     * reader when the socket accepts more.
     */
    void chooseEvents() {
        boolean writes = hasUnsent();
        if (writes == selectsWrites || !key.isValid()) return;
        selectsWrites = writes;
        key.interestOps(writes ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }

    // ---- under the write lock

    boolean isUp() {
        return broken == null;
    }

    /** Returns why the connection is broken; null if it is up. */
    String why() {
        return broken;
    }

    boolean wasRevoked() {
        return refusedCode == RefusedCode.REVOKED;
    }

    int nextLink() {
        return ++links;
    }

    /**
     * Returns whether one more frame may be added: its answer has a place, and fewer than {@code MAX_UNSENT} bytes wait
     * for the socket.
     */
    boolean hasRoom() {
        return flights.room() > kept && out.unsent() < MAX_UNSENT;
    }

    /** Returns whether frames wait for room. If so, every frame posted now is queued after them. */
    boolean isBacklogged() {
        return backlogged;
    }

    void enqueue(Unsent unsent) {
        backlog.add(unsent);
        backlogged = true;
    }

    /** Returns the oldest entry of the backlog; null if the backlog is empty. */
    Unsent nextUnsent() {
        return backlog.peek();
    }

    /** Removes the oldest entry of the backlog. */
    void dequeue() {
        backlog.remove();
        backlogged = !backlog.isEmpty();
    }

    /**
     * Removes and returns the entries of the backlog that are past their deadlines. If this process was suspended,
     * entries without a deadline of their own get a new one first.
     */
    List<Unsent> expired(long now, boolean stoodStill, long timeoutNanos) {
        List<Unsent> late = new ArrayList<>();
        for (Unsent unsent : backlog) {
            PendingReply pending = unsent.pending;
            if (stoodStill && !AnswerDispatcher.hasOwnDeadline(pending)) pending.deadlineNanos = now + timeoutNanos;
            if (pending.deadlineNanos <= now) late.add(unsent);
        }
        backlog.removeAll(late);
        backlogged = !backlog.isEmpty();
        return late;
    }

    /** Adds the frame of a control call, and its flight, which the answer ends. */
    void control(ControlCall call) {
        FrameInFlight flight = flights.next();
        flight.set(call, null, ++sequence);
        call.sent();
        out.require(Frame.HEADER + 8 * call.words.length);
        out.word(Frame.head(Frame.HEADER + 8L * call.words.length, Frame.CONTROL, 0, call.words.length));
        out.word(Frame.tail(0, sequence));
        for (long word : call.words) out.word(word);
        flights.added();
    }

    void beat() {
        if (flights.room() == 0) return;
        FrameInFlight flight = flights.next();
        flight.set(null, null, ++sequence);
        flight.beatNanos = Clock.system().nowNanos();
        out.require(Frame.HEADER);
        out.word(Frame.head(Frame.HEADER, Frame.BEAT, 0, 0));
        out.word(Frame.tail(0, sequence));
        flights.added();
        flights.show();
    }

    void goodbye() {
        out.require(Frame.HEADER);
        out.word(Frame.head(Frame.HEADER, Frame.GOODBYE, 0, 0));
        out.word(Frame.tail(0, ++sequence));
    }

    /** Returns the sequence number of the next frame of a round, and counts it as unflushed. */
    int nextSequence() {
        unflushed++;
        return ++sequence;
    }

    /** Returns whether enough frames are assembled for the node to begin with them. */
    boolean isWorthSending() {
        return unflushed >= WORTH_SENDING;
    }

    /** Sends as many bytes as the socket accepts now. */
    void flush() {
        unflushed = 0;
        int before = out.unsent();
        try {
            if (!out.flush(transport) && out.unsent() < before)
                takenNanos = Clock.system().nowNanos();
        } catch (IOException e) {
            breakDown("the connection broke (" + e.getMessage() + ")");
        }
    }

    /**
     * Returns whether frames wait for room, or the socket has not accepted all bytes. Without the write lock the result
     * is a guess.
     */
    boolean isStuck() {
        return backlogged || unflushed == 0 && hasUnsent();
    }

    boolean hasUnsent() {
        return !out.isEmpty() || transport.wantsFlush();
    }

    /** Marks the connection as broken. Called from any thread; the reader then notices it. */
    void breakDown(String why) {
        if (broken == null) broken = why;
    }

    // ---- called by the reader

    /** Takes in what has arrived. Returns whether anything had arrived. */
    boolean receive() {
        ready = false;
        boolean any = false;
        try {
            while (broken == null) {
                int read = in.fill(transport);
                if (read < 0) breakDown("the node has closed the connection");
                if (read <= 0) break;
                any = true;
                boolean more = in.isFull() || transport.hasBuffered();
                takeFrames();
                if (!more) break;
            }
        } catch (IOException e) {
            breakDown("the connection broke (" + e.getMessage() + ")");
        }
        return any;
    }

    private void takeFrames() {
        heardNanos = Clock.system().nowNanos();
        if (lease.isOver(heardNanos)) {
            breakDown("some node of the pool has not been heard for the lease: what others say may be old");
            return;
        }
        while (broken == null) {
            int bytes = in.frame(welcome.frameBytes());
            if (bytes == 0) return;
            if (bytes < 0) {
                breakDown("the node sent what is no frame");
                return;
            }
            take(in.head(), in.memory(), in.start());
            in.taken(bytes);
        }
    }

    private void take(long head, MemorySegment memory, int at) {
        switch (Frame.kind(head)) {
            case Frame.ANSWER, Frame.REPLY, Frame.BEAT -> answer(head, memory, at);
            case Frame.SUSPECTS -> listener.suspects(head, memory, at);
            case Frame.REFUSED -> {
                refusedCode = Frame.status(head);
                breakDown(text(head, memory, at));
            }
            default -> breakDown("the node sent a frame of unknown kind " + Frame.kind(head));
        }
    }

    private void answer(long head, MemorySegment memory, int at) {
        long tail = Words.plain(memory, at + Words.BYTES);
        int count = flights.count();
        FrameInFlight oldest = flights.get(0);
        int place = Frame.sequence(tail) - oldest.sequence;
        FrameInFlight flight = place == 0 ? oldest : flights.get(place);
        if (place < 0 || place >= count || flight.answered) {
            breakDown(count == 0 ? "the node answered what nobody asked" : "the node answered out of turn");
            return;
        }
        PendingReply pending = flight.pending;
        String wrong = pending == null ? null : listener.land(this, flight, head, tail, memory, at);
        if (wrong != null) {
            breakDown(wrong); // the flight stays in the ring and fails with the others
            return;
        }
        if (Frame.kind(head) == Frame.BEAT) lease.heard(node, flight.beatNanos);
        flight.drop();
        flights.answered(place);
        if (pending != null && pending.countOff()) listener.done(pending);
    }

    /** Returns the text of a frame. Its length is the frame's count, bounded by the frame and by {@code MAX_TEXT}. */
    static String text(long head, MemorySegment memory, int at) {
        int length = Math.min(Math.min(Frame.count(head), Frame.bytes(head) - Frame.HEADER), MAX_TEXT);
        byte[] text = new byte[length];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at + Frame.HEADER, text, 0, length);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Returns whether the connection is broken and {@link #bury} has not run yet. */
    boolean isToBury() {
        return broken != null && !dead;
    }

    /**
     * Fails everything that is under way. Runs under the write lock, so that no frame is added meanwhile. After a
     * REFUSED the node has executed no unanswered frame; without one, the effects of unanswered frames are unknown.
     */
    void bury() {
        dead = true;
        transport.close();
        boolean refused = refusedCode != 0;
        while (flights.count() > 0) {
            FrameInFlight flight = flights.get(0);
            PendingReply pending = flight.pending;
            if (pending != null)
                listener.lost(this, flight, refused ? Effect.NOT_DONE : Effect.UNKNOWN, Reason.DISCONNECTED, broken);
            flight.drop();
            flights.taken();
            if (pending != null && pending.countOff()) listener.done(pending);
        }
        while (backlogged) {
            Unsent unsent = backlog.peek();
            dequeue();
            listener.unsent(this, unsent, Reason.DISCONNECTED, broken);
            if (unsent.pending.countOff()) listener.done(unsent.pending);
        }
    }

    /** Returns when bytes last arrived from the node. */
    long heardNanos() {
        return heardNanos;
    }

    /** Restarts the measurement of silence at {@code now}. */
    void listenAnew(long now) {
        owesSince = now;
    }

    /**
     * Returns for how long the node has owed an answer without sending anything, as observed by earlier calls. Silence
     * before a request does not count: the session may have been idle, or this process may have been suspended. Time in
     * which a full socket accepts bytes does not count either: the node is reading a long frame, because only a node
     * that reads makes room in a full socket.
     */
    long silentNanos(long now) {
        if (flights.count() == 0) owesSince = NOTHING;
        else if (owesSince == NOTHING || heardNanos >= owesSince || takenNanos >= owesSince) owesSince = now;
        return owesSince == NOTHING ? 0 : now - owesSince;
    }
}
