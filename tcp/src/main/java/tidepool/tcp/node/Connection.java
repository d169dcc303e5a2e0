package tidepool.tcp.node;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SelectionKey;
import java.nio.charset.StandardCharsets;
import tidepool.base.Words;
import tidepool.tcp.secure.Rights;
import tidepool.tcp.secure.Token;
import tidepool.tcp.wire.Frame;
import tidepool.tcp.wire.Transport;

/**
 * One client's socket as the node sees it: who it is, what it may, and the bytes that wait on either side. Frames begin at
 * whole words of a block, so words of verbs and answers are aligned. The node's loop owns it.
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

    /** Whoever reads less than this in the time that slow readers have reads too slowly. */
    private static final int LEAST_PROGRESS_BYTES = 64 << 10;

    final long number;
    final Transport transport;
    final String host;
    final String address;
    final long acceptedNanos;
    private final Buffers buffers;
    private final int frameLimit;
    SelectionKey key;
    int ops = SelectionKey.OP_READ;

    Phase phase = Phase.HELLO;
    Handshake.Talking talking;
    String client = "";
    Token token;
    Rights rights = Rights.NONE;
    HostedPool pool;
    HostedSession session;
    boolean goodbye;
    int wrongCapabilities;
    private boolean mayWrite;
    private boolean mayCall;
    private boolean controlPending;

    private OpenLink[] links = new OpenLink[8];
    private long linksOpened;

    // What arrived and was not yet carried out.
    private Buffers.Block in;
    private int inAt;
    private int inEnd;

    // What was answered and not yet sent.
    private Buffers.Block out;
    private int outSent;
    private int outEnd;
    private int unsentAnswers;

    long heardNanos;
    private boolean stuck;
    private long stuckSinceNanos;
    private long stuckBytesOut;
    long dueNanos = Long.MAX_VALUE;
    long rounds;
    long verbs;
    long bytesIn;
    long bytesOut;

    Connection(
            long number, Transport transport, String host, int port, Buffers buffers, int frameLimit, long nowNanos) {
        this.number = number;
        this.transport = transport;
        this.host = host;
        this.address = host + ":" + port;
        this.buffers = buffers;
        this.frameLimit = frameLimit;
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

    /** Null closes it. */
    void link(int number, OpenLink link) {
        if (number >= links.length) {
            if (link == null) return;
            links = java.util.Arrays.copyOf(links, Math.max(2 * links.length, Integer.highestOneBit(number) * 2));
        }
        links[number] = link;
    }

    /** Counts the openings, so that handles of two openings differ. */
    long nextGeneration() {
        return linksOpened++;
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
                || unsent() > limits.unsentBytes()
                || unsentAnswers > limits.outstandingRounds();
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

    // ---- what leaves

    /** Makes room for so many bytes of answer behind what is there; then {@link #output} and {@link #outputAt}. */
    void reserve(int bytes) {
        if (out == null) {
            out = buffers.take(Math.max(bytes, isStranger() ? Buffers.SMALL : Buffers.USUAL));
            return;
        }
        if (outEnd + bytes <= out.size()) return;
        int skip = outSent & -Words.BYTES; // so that frames stay at whole words
        Buffers.Block to = outEnd - skip + bytes <= out.size() ? out : buffers.take(outEnd - skip + bytes);
        MemorySegment.copy(out.memory, skip, to.memory, 0, outEnd - skip);
        if (to != out) buffers.give(out);
        out = to;
        outSent -= skip;
        outEnd -= skip;
    }

    MemorySegment output() {
        return out.memory;
    }

    int outputAt() {
        return outEnd;
    }

    void answered(int bytes) {
        outEnd += bytes;
        unsentAnswers++;
    }

    int unsent() {
        return outEnd - outSent;
    }

    /** Sends what the socket takes; true if all is gone. Remembers since when answers are not read as they should be. */
    boolean flush(long nowNanos) throws IOException {
        boolean gone = flush();
        if (!gone && (!stuck || bytesOut - stuckBytesOut >= LEAST_PROGRESS_BYTES)) {
            stuckSinceNanos = nowNanos;
            stuckBytesOut = bytesOut;
        }
        stuck = !gone;
        return gone;
    }

    /** Whether answers wait to be read. */
    boolean isStuck() {
        return stuck;
    }

    long stuckSinceNanos() {
        return stuckSinceNanos;
    }

    /** Sends what the socket takes; true if all is gone. */
    boolean flush() throws IOException {
        if (out != null) {
            out.bytes.limit(outEnd).position(outSent);
            int bytes = transport.write(out.bytes);
            outSent += bytes;
            bytesOut += bytes;
            if (outSent == outEnd) dropOutput();
        }
        if (transport.wantsFlush()) transport.flush();
        return out == null && !transport.wantsFlush();
    }

    private void dropOutput() {
        if (out != null) buffers.give(out);
        out = null;
        outSent = 0;
        outEnd = 0;
        unsentAnswers = 0;
    }

    /** Appends a frame of words. */
    void send(int kind, int status, int sequence, long[] words, int count) {
        int bytes = Frame.HEADER + count * Words.BYTES;
        reserve(bytes);
        header(bytes, kind, status, count, sequence);
        for (int i = 0; i < count; i++)
            Words.plain(out.memory, outEnd + Frame.HEADER + (long) i * Words.BYTES, words[i]);
        answered(bytes);
    }

    /** Appends a frame with text; what is too long is cut. */
    void send(int kind, int status, int sequence, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(utf8.length, Math.min(Frame.MOST_VERBS, frameLimit - Frame.HEADER) & -Words.BYTES);
        int bytes = (int) (Frame.HEADER + Frame.padded(length));
        reserve(bytes);
        header(bytes, kind, status, length, sequence);
        if (bytes > Frame.HEADER) Words.plain(out.memory, outEnd + bytes - Words.BYTES, 0);
        MemorySegment.copy(MemorySegment.ofArray(utf8), 0, out.memory, outEnd + Frame.HEADER, length);
        answered(bytes);
    }

    private void header(int bytes, int kind, int status, int count, int sequence) {
        Words.plain(out.memory, outEnd, Frame.head(bytes, kind, status, count));
        Words.plain(out.memory, outEnd + Words.BYTES, Frame.tail(0, sequence));
    }

    /** Closes the socket and gives everything back. */
    void close() {
        phase = Phase.CLOSED;
        dropInput();
        dropOutput();
        links = new OpenLink[0];
        if (key != null) key.cancel();
        transport.close();
    }
}
