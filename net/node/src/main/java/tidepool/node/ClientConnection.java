package tidepool.node;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SelectionKey;
import java.util.Arrays;
import tidepool.base.Words;
import tidepool.memory.NodeRegion;
import tidepool.wire.Transport;
import tidepool.wire.tls.Rights;
import tidepool.wire.tls.Token;

/**
 * The node's side of one connection: the client, its rights, and the received bytes. Frames begin at whole words of a
 * block, so the words of verbs are aligned. The node's loop owns it.
 */
final class ClientConnection {
    /** The frames that the client may send next. */
    enum Phase {
        HELLO,
        PROOF,
        /** A refusal is sent later, to slow down guessing of credentials. */
        DELAYED,
        OPEN,
        /** The last frames are being sent; then the connection is closed. */
        CLOSING,
        CLOSED
    }

    final long number;
    final Transport transport;
    final String host;
    final String address;
    final long acceptedNanos;
    private final BufferPool buffers;
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

    /** The epoch of the client's roster; 0 if the pool has none. */
    long epoch;

    boolean goodbye;
    int wrongCapabilities;
    private boolean mayWrite;
    private boolean mayCall;
    private boolean controlPending;

    private OpenLink[] links = new OpenLink[8];
    private long regionsOpened; // makes the handles of two openings different
    private long linkBytes;

    // Bytes that were received and not yet executed.
    private BufferPool.Block in;
    private int inAt;
    private int inEnd;

    long heardNanos;
    long dueNanos = Long.MAX_VALUE;
    long rounds;
    long verbs;
    long bytesIn;

    ClientConnection(
            long number,
            Transport transport,
            String host,
            int port,
            BufferPool buffers,
            int frameLimit,
            long nowNanos) {
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

    // ---- identity and rights

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

    /** Closes all links. */
    void dropLinks() {
        Arrays.fill(links, null);
        countLinks(Words.BYTES * (long) links.length);
    }

    /** Returns the bytes of the node's memory that this connection holds. */
    long heldBytes() {
        return (in == null ? 0L : in.size()) + out.heldBytes() + linkBytes;
    }

    private void countLinks(long now) {
        buffers.charge(now - linkBytes);
        linkBytes = now;
    }

    /** Opens a region on a link and returns its handle. */
    long open(OpenLink link, NodeRegion region) {
        long before = link.heldBytes();
        long handle = link.open(region, () -> regionsOpened++);
        countLinks(linkBytes + link.heldBytes() - before);
        return handle;
    }

    /** Sets the link of this number. Null closes it. */
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

    // ---- control calls

    boolean isControlPending() {
        return controlPending;
    }

    void controlPending(boolean pending) {
        controlPending = pending;
    }

    /** Returns whether received frames must wait: for a pending control call, or until the client reads its answers. */
    boolean isBlocked(NodeLimits limits) {
        return controlPending
                || phase == Phase.DELAYED
                || isOver()
                || out.unsent() > limits.unsentBytes()
                || out.unsentFrames() > limits.outstandingRounds();
    }

    // ---- input

    MemorySegment input() {
        return in.memory;
    }

    int inputAt() {
        return inAt;
    }

    int inputBytes() {
        return inEnd - inAt;
    }

    /** Reads from the socket as far as there is space. Returns the number of bytes, or -1 at the end. */
    int read() throws IOException {
        if (in == null) in = buffers.take(isStranger() ? BufferPool.SMALL : BufferPool.USUAL);
        else if (inEnd == in.size()) makeRoom(0);
        in.bytes.limit(in.size()).position(inEnd);
        int bytes = transport.read(in.bytes);
        if (bytes > 0) {
            inEnd += bytes;
            bytesIn += bytes;
        }
        return bytes;
    }

    /** Returns whether the last read may have left bytes in the socket. */
    boolean mayHaveMore() {
        return in != null && inEnd == in.size() || transport.hasBuffered();
    }

    void consumed(int bytes) {
        if (in != null) inAt += bytes; // null if the request itself has cut the connection
    }

    /** Makes space for the first frame, whose length is {@code frameBytes}. */
    void makeRoom(int frameBytes) {
        if (frameBytes > in.size()) {
            BufferPool.Block larger = buffers.take(frameBytes);
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

    /** Reads and drops the bytes. Returns -1 at the end. */
    int discard() throws IOException {
        int bytes = read();
        dropInput();
        return bytes;
    }

    void dropInputIfEmpty() {
        if (in != null && inAt == inEnd) dropInput();
    }

    /** Returns the answers to send. */
    Outbox out() {
        return out;
    }

    /** Closes the socket and releases all memory. */
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
