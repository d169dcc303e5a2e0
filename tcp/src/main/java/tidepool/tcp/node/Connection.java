package tidepool.tcp.node;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SelectionKey;
import java.util.Arrays;
import tidepool.base.Words;
import tidepool.memory.NodeRegion;
import tidepool.tcp.secure.Rights;
import tidepool.tcp.secure.Token;
import tidepool.tcp.wire.Transport;

/**
 * One client's socket as the node sees it: who it is, what it may, and the bytes that have arrived. Frames begin at whole
 * words of a block, so the words of verbs are aligned. The node's loop owns it.
 */
final class Connection {
    /** What it may send next. */
    enum Phase {
        HELLO,
        PROOF,
        /** A refusal is due later, so that guessing takes time. */
        DELAYED,
        OPEN,
        /** What is to be said is being sent; then it is closed. */
        CLOSING,
        CLOSED
    }

    final long number;
    final Transport transport;
    final String host;
    final String address;
    final long acceptedNanos;
    private final Buffers buffers;
    private final int frameLimit;
    private final Outbox out;
    SelectionKey key;
    int ops = SelectionKey.OP_READ;

    Phase phase = Phase.HELLO;
    Handshake.Talking talking;
    String client = "";
    Token token;
    Rights rights = Rights.NONE;
    HostedPool pool;
    HostedSession session;

    /** Of the roster that it came with; 0 if the pool has none. */
    long epoch;

    boolean goodbye;
    int wrongCapabilities;
    private boolean mayWrite;
    private boolean mayCall;
    private boolean controlPending;

    private OpenLink[] links = new OpenLink[8];
    private long regionsOpened; // so that handles of two openings differ
    private long linkBytes;

    // What arrived and was not yet carried out.
    private Buffers.Block in;
    private int inAt;
    private int inEnd;

    long heardNanos;
    long dueNanos = Long.MAX_VALUE;
    long rounds;
    long verbs;
    long bytesIn;

    Connection(
            long number, Transport transport, String host, int port, Buffers buffers, int frameLimit, long nowNanos) {
        this.number = number;
        this.transport = transport;
        this.host = host;
        this.address = host + ":" + port;
        this.buffers = buffers;
        this.frameLimit = frameLimit;
        this.out = new Outbox(transport, buffers, frameLimit);
        this.acceptedNanos = nowNanos;
        this.heardNanos = nowNanos;
    }

    // ---- who it is

    void welcome(Rights granted, HostedPool of) {
        rights = granted;
        mayWrite = granted.write();
        mayCall = granted.call();
        pool = of;
        talking = null;
        out.known();
        phase = Phase.OPEN;
    }

    boolean isStranger() {
        return phase == Phase.HELLO || phase == Phase.PROOF || phase == Phase.DELAYED;
    }

    boolean isOver() {
        return phase == Phase.CLOSING || phase == Phase.CLOSED;
    }

    boolean mayWrite() {
        return mayWrite;
    }

    boolean mayCall() {
        return mayCall;
    }

    int frameLimit() {
        return frameLimit;
    }

    // ---- links

    OpenLink link(int number) {
        return number >= 0 && number < links.length ? links[number] : null;
    }

    /** Closes all. */
    void dropLinks() {
        Arrays.fill(links, null);
        countLinks(Words.BYTES * (long) links.length);
    }

    /** Memory of the node that this connection holds. */
    long heldBytes() {
        return (in == null ? 0L : in.size()) + out.heldBytes() + linkBytes;
    }

    private void countLinks(long now) {
        buffers.charge(now - linkBytes);
        linkBytes = now;
    }

    /** The handle of a region that is opened on a link. */
    long open(OpenLink link, NodeRegion region) {
        long before = link.heldBytes();
        long handle = link.open(region, () -> regionsOpened++);
        countLinks(linkBytes + link.heldBytes() - before);
        return handle;
    }

    /** Null closes it. */
    void link(int number, OpenLink link) {
        if (number >= links.length) {
            if (link == null) return;
            int before = links.length;
            links = Arrays.copyOf(links, Math.max(2 * links.length, Integer.highestOneBit(number) * 2));
            countLinks(linkBytes + Words.BYTES * (long) (links.length - before));
        }
        OpenLink earlier = links[number];
        links[number] = link;
        countLinks(linkBytes + bytes(link) - bytes(earlier));
    }

    private static long bytes(OpenLink link) {
        return link == null ? 0 : link.heldBytes();
    }

    // ---- control calls that take their time

    boolean isControlPending() {
        return controlPending;
    }

    void controlPending(boolean pending) {
        controlPending = pending;
    }

    /** Whether frames that are there must wait: for an answer that is under way, or for the reader of answers. */
    boolean isBlocked(NodeLimits limits) {
        return controlPending
                || phase == Phase.DELAYED
                || isOver()
                || out.unsent() > limits.unsentBytes()
                || out.unsentFrames() > limits.outstandingRounds();
    }

    // ---- what arrives

    MemorySegment input() {
        return in.memory;
    }

    int inputAt() {
        return inAt;
    }

    int inputBytes() {
        return inEnd - inAt;
    }

    /** Reads what is there, as far as there is room for it; the bytes read, or -1 at the end. */
    int read() throws IOException {
        if (in == null) in = buffers.take(isStranger() ? Buffers.SMALL : Buffers.USUAL);
        else if (inEnd == in.size()) makeRoom(0);
        in.bytes.limit(in.size()).position(inEnd);
        int bytes = transport.read(in.bytes);
        if (bytes > 0) {
            inEnd += bytes;
            bytesIn += bytes;
        }
        return bytes;
    }

    /** Whether the last read may have left something behind. */
    boolean mayHaveMore() {
        return in != null && inEnd == in.size() || transport.hasBuffered();
    }

    void consumed(int bytes) {
        if (in != null) inAt += bytes; // it may have been cut by its own request
    }

    /** The frame that has begun has so many bytes: there will be room for it. */
    void makeRoom(int frameBytes) {
        if (frameBytes > in.size()) {
            Buffers.Block larger = buffers.take(frameBytes);
            MemorySegment.copy(in.memory, inAt, larger.memory, 0, inEnd - inAt);
            buffers.give(in);
            in = larger;
        } else if (inAt > 0 && (frameBytes > in.size() - inAt || inEnd == in.size())) {
            MemorySegment.copy(in.memory, inAt, in.memory, 0, inEnd - inAt);
        } else {
            return;
        }
        inEnd -= inAt;
        inAt = 0;
    }

    void dropInput() {
        if (in != null) buffers.give(in);
        in = null;
        inAt = 0;
        inEnd = 0;
    }

    /** Reads and forgets; -1 at the end. */
    int discard() throws IOException {
        int bytes = read();
        dropInput();
        return bytes;
    }

    void dropInputIfEmpty() {
        if (in != null && inAt == inEnd) dropInput();
    }

    /** What leaves. */
    Outbox out() {
        return out;
    }

    /** Closes the socket and gives everything back. */
    void close() {
        phase = Phase.CLOSED;
        dropInput();
        out.drop();
        links = new OpenLink[0];
        countLinks(0);
        if (key != null) key.cancel();
        transport.close();
    }
}
