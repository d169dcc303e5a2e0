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
import tidepool.tcp.wire.Frame;
import tidepool.tcp.wire.RefusedCode;
import tidepool.tcp.wire.Transport;

/**
 * One connection to a memory node, beyond its handshake. Frames go out under the write lock of its {@link Port}; what
 * arrives is taken in by whoever has the port's role of reader.
 */
final class Wire {
    /** Frames that may be unanswered; nodes allow more. What is posted beyond them waits. */
    private static final int MOST_FLIGHTS = 1024;

    /** Bytes that may wait for the socket. Frames beyond them wait in their rounds, and a BEAT not behind them. */
    private static final int MOST_UNSENT = 256 << 10;

    /** The node works on so many while those behind them are put together, and its answers come while others are read. */
    static final int WORTH_SENDING = 32;

    /** Longer texts than this are cut: nobody reads them. */
    private static final int MOST_TEXT = 4096;

    private static final long NOTHING = Long.MIN_VALUE;

    final int node;
    final Welcome welcome;
    final OutBuffer out = new OutBuffer();
    final FlightRing flights;

    /** Places among the flights that are kept for a BEAT: the session must not die of having much to do. */
    private final int kept;

    private final Transport transport;
    private final Answers answers;
    private final InBuffer in = new InBuffer();
    private int sequence;

    /** Rounds put together since the last flush. */
    private int unflushed;

    private int links;

    /** What waits for room, in the order of posting. */
    private final ArrayDeque<Unsent> backlog = new ArrayDeque<>();

    /** Whether the backlog has anything, for those without the write lock. */
    private volatile boolean backlogged;

    private SelectionKey key;
    private boolean selectsWrites; // for the reader

    /** Why it can carry no more; set once, by whoever noticed. The reader then fails what is under way. */
    private volatile String broken;

    /** Whether a selector has said that something has arrived; for the reader. */
    boolean ready;

    private volatile int refusedCode;
    private volatile boolean dead;
    /** Until when what arrives is believed; the session's. */
    private volatile Freshness freshness = Freshness.FOR_EVER;

    private volatile long heardNanos = Clock.system().nowNanos();
    private volatile long takenNanos = heardNanos; // when a full socket last took something
    private long owesSince = NOTHING; // the keeper's

    Wire(int node, Transport transport, Welcome welcome, Answers answers) {
        this.node = node;
        this.transport = transport;
        this.welcome = welcome;
        this.answers = answers;
        int capacity = Integer.highestOneBit(Math.max(1, Math.min(MOST_FLIGHTS, welcome.mostOutstanding())));
        this.flights = new FlightRing(capacity);
        this.kept = capacity > 1 ? 1 : 0;
    }

    /** Before it is used. */
    void freshness(Freshness of) {
        freshness = of;
    }

    void register(Selector selector) throws IOException {
        key = transport.channel().register(selector, SelectionKey.OP_READ, this);
    }

    /** By the reader, before it sleeps: a socket that has not taken all wakes it when it takes more. */
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

    /** Why it is not up. */
    String why() {
        return broken;
    }

    boolean wasRevoked() {
        return refusedCode == RefusedCode.REVOKED;
    }

    int nextLink() {
        return ++links;
    }

    /** Whether one more frame may be added: its answer has a place, and not too much waits for the socket. */
    boolean hasRoom() {
        return flights.room() > kept && out.unsent() < MOST_UNSENT;
    }

    /** Whether something waits for room; then whatever is posted now waits behind it. */
    boolean isBacklogged() {
        return backlogged;
    }

    void enqueue(Unsent unsent) {
        backlog.add(unsent);
        backlogged = true;
    }

    /** What has waited longest; null if nothing waits. */
    Unsent nextUnsent() {
        return backlog.peek();
    }

    /** What has waited longest waits no more. */
    void dequeue() {
        backlog.remove();
        backlogged = !backlog.isEmpty();
    }

    /** All that waits and is past its time, which begins anew for some if this process stood still. */
    List<Unsent> expired(long now, boolean stoodStill, long timeoutNanos) {
        List<Unsent> late = new ArrayList<>();
        for (Unsent unsent : backlog) {
            Pending pending = unsent.pending;
            if (stoodStill && !Landing.hasOwnDeadline(pending)) pending.deadlineNanos = now + timeoutNanos;
            if (pending.deadlineNanos <= now) late.add(unsent);
        }
        backlog.removeAll(late);
        backlogged = !backlog.isEmpty();
        return late;
    }

    /** Adds a frame of words, with the flight that its answer ends. */
    void control(ControlCall call) {
        Flight flight = flights.next();
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
        Flight flight = flights.next();
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

    /** For the next round. */
    int nextSequence() {
        unflushed++;
        return ++sequence;
    }

    /** Whether so much is put together that the node may well begin. */
    boolean isWorthSending() {
        return unflushed >= WORTH_SENDING;
    }

    /** Sends what the socket takes now. */
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

    /** Whether something waits for room, or the socket has not taken all that it was given; a guess without the lock. */
    boolean isStuck() {
        return backlogged || unflushed == 0 && hasUnsent();
    }

    boolean hasUnsent() {
        return !out.isEmpty() || transport.wantsFlush();
    }

    /** From any thread: the reader will find it so. */
    void breakDown(String why) {
        if (broken == null) broken = why;
    }

    // ---- by the reader

    /** Takes in what has arrived; true if anything has. */
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
        if (freshness.isOver(heardNanos)) {
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
            case Frame.SUSPECTS -> answers.suspects(head, memory, at);
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
        Flight oldest = flights.get(0);
        int place = Frame.sequence(tail) - oldest.sequence;
        Flight flight = place == 0 ? oldest : flights.get(place);
        if (place < 0 || place >= count || flight.answered) {
            breakDown(count == 0 ? "the node answered what nobody asked" : "the node answered out of turn");
            return;
        }
        Pending pending = flight.pending;
        String wrong = pending == null ? null : answers.land(this, flight, head, tail, memory, at);
        if (wrong != null) {
            breakDown(wrong); // the flight stays: it fails with the others
            return;
        }
        if (Frame.kind(head) == Frame.BEAT) freshness.heard(node, flight.beatNanos);
        flight.drop();
        flights.answered(place);
        if (pending != null && pending.countOff()) answers.done(pending);
    }

    /** The sentence of a frame: as many bytes as its count says, if there are so many. */
    static String text(long head, MemorySegment memory, int at) {
        int length = Math.min(Math.min(Frame.count(head), Frame.bytes(head) - Frame.HEADER), MOST_TEXT);
        byte[] text = new byte[length];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at + Frame.HEADER, text, 0, length);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Whether it broke and nobody has cleaned up behind it. */
    boolean isToBury() {
        return broken != null && !dead;
    }

    /**
     * Fails all that is under way, under the write lock, so that nothing is added meanwhile. Behind a REFUSED nothing
     * unanswered was carried out; otherwise nobody knows.
     */
    void bury() {
        dead = true;
        transport.close();
        boolean refused = refusedCode != 0;
        while (flights.count() > 0) {
            Flight flight = flights.get(0);
            Pending pending = flight.pending;
            if (pending != null)
                answers.lost(this, flight, refused ? Effect.NOT_DONE : Effect.UNKNOWN, Reason.DISCONNECTED, broken);
            flight.drop();
            flights.taken();
            if (pending != null && pending.countOff()) answers.done(pending);
        }
        while (backlogged) {
            Unsent unsent = backlog.peek();
            dequeue();
            answers.unsent(this, unsent, Reason.DISCONNECTED, broken);
            if (unsent.pending.countOff()) answers.done(unsent.pending);
        }
    }

    /** When the node was last heard. */
    long heardNanos() {
        return heardNanos;
    }

    /** Silence is counted from now on. */
    void listenAnew(long now) {
        owesSince = now;
    }

    /**
     * How long the node has owed something and said nothing, as far as earlier calls have seen it. Silence before it was
     * asked does not count: nobody may have asked anything for a long time, or this process stood still. Nor does the time
     * in which it takes in a long frame: only a node that reads makes room in a full socket.
     */
    long silentNanos(long now) {
        if (flights.count() == 0) owesSince = NOTHING;
        else if (owesSince == NOTHING || heardNanos >= owesSince || takenNanos >= owesSince) owesSince = now;
        return owesSince == NOTHING ? 0 : now - owesSince;
    }
}
