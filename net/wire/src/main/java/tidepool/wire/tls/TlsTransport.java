package tidepool.wire.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import tidepool.wire.Transport;

/**
 * One end of TLS over a non-blocking socket.
 *
 * <pre>{@code
 *   write -> early (until the handshake is done) -> wrap   -> sealed   -> socket
 *   read  <- opened                              <- unwrap <- arrived  <- socket
 * }</pre>
 *
 * Every call continues the handshake as far as possible. Bytes written before the handshake is done are buffered.
 * Otherwise a caller that waits for a writable socket would spin until the other end answers. Buffers lie on the heap:
 * the engine is faster there, and the garbage collector frees them with the connection. One thread may read while
 * another writes. No method waits, so the monitor is never held for long.
 */
final class TlsTransport implements Transport {
    /**
     * Maximum bytes buffered before the handshake is done: enough for the first frame. A client that wants to send more
     * has to receive an answer first.
     */
    private static final int MAX_EARLY = 4096;

    /**
     * Maximum number of records without data that one read accepts. Otherwise a peer could keep the thread busy with
     * empty records.
     */
    private static final int MAX_EMPTY_RECORDS = 32;

    /** Kinds of TLS records: change of cipher, alert, handshake, data. */
    private static final int FIRST_RECORD = 20;

    private static final int LAST_RECORD = 23;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine engine;
    private final SocketChannel channel;
    private final ByteBuffer early = ByteBuffer.allocate(MAX_EARLY);
    private final ByteBuffer arrived; // between calls: ready to be filled
    private final ByteBuffer sealed; // between calls: ready to be filled
    private ByteBuffer opened; // between calls: ready to be taken from
    private boolean isStarved = true; // arrived holds less than a record
    private boolean hasEnded;
    private boolean isDone;

    TlsTransport(SSLEngine engine, SocketChannel channel) {
        this.engine = engine;
        this.channel = channel;
        int record = engine.getSession().getPacketBufferSize();
        arrived = ByteBuffer.allocate(2 * record);
        sealed = ByteBuffer.allocate(2 * record);
        opened = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())
                .flip();
    }

    @Override
    public synchronized int read(ByteBuffer into) throws IOException {
        int before = into.position();
        take(into);
        int empty = 0;
        while (into.hasRemaining() && empty < MAX_EMPTY_RECORDS && !hasEnded && advance()) {
            if (!opened.hasRemaining()) empty++;
            take(into);
        }
        int taken = into.position() - before;
        return taken == 0 && hasEnded ? -1 : taken;
    }

    @Override
    public synchronized int write(ByteBuffer from) throws IOException {
        int before = from.position();
        if (!isDone) {
            shakeHands();
            if (!isDone) {
                while (from.hasRemaining() && early.hasRemaining()) early.put(from.get());
                return from.position() - before;
            }
        }
        while (from.hasRemaining() && seal(from)) {}
        send();
        return from.position() - before;
    }

    @Override
    public synchronized boolean wantsFlush() {
        return sealed.position() > 0 || engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP || !hasBegun();
    }

    @Override
    public synchronized void flush() throws IOException {
        shakeHands();
        send();
    }

    @Override
    public synchronized boolean hasBuffered() {
        return opened.hasRemaining() || arrived.position() > 0 && !isStarved;
    }

    @Override
    public synchronized String peerName() {
        try {
            return isDone && engine.getSession().getPeerCertificates()[0] instanceof X509Certificate shown
                    ? Pem.commonName(shown)
                    : null;
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    @Override
    public SocketChannel channel() {
        return channel;
    }

    /** Sends the closing alert as far as that goes without waiting, and closes the socket. */
    @Override
    public synchronized void close() {
        if (!channel.isOpen()) return;
        try {
            if (hasBegun()) sayLastWords();
        } finally {
            try {
                channel.close();
            } catch (IOException e) {
                // The socket counts as closed anyway.
            }
        }
    }

    /** Returns whether the handshake has begun. Only a client sends before it has received anything. */
    private boolean hasBegun() {
        return isDone || !engine.getUseClientMode() || engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    /** Makes one step towards more data. Returns false if bytes have to arrive from the socket or leave by it first. */
    private boolean advance() throws IOException {
        return switch (engine.getHandshakeStatus()) {
            case NEED_TASK, NEED_WRAP -> shakeHands();
            case NOT_HANDSHAKING, FINISHED, NEED_UNWRAP, NEED_UNWRAP_AGAIN -> open();
        };
    }

    /**
     * Makes all steps of the handshake that need nothing from the other end. Returns false if the socket takes no more
     * bytes.
     */
    private boolean shakeHands() throws IOException {
        if (!hasBegun()) engine.beginHandshake();
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> {
                    Runnable task = engine.getDelegatedTask();
                    if (task != null) task.run();
                }
                case NEED_WRAP -> {
                    if (!seal(NOTHING)) return false;
                }
                case NOT_HANDSHAKING, FINISHED, NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    send();
                    return true;
                }
            }
        }
    }

    /** Decrypts one record. Returns false if there is none. */
    private boolean open() throws IOException {
        if (isStarved && !fetch()) return false;
        arrived.flip();
        SSLEngineResult result;
        try {
            opened.clear();
            result = engine.unwrap(arrived, opened);
        } catch (SSLException e) {
            throw failed(e);
        } finally {
            opened.flip();
            arrived.compact();
        }
        switch (result.getStatus()) {
            case BUFFER_UNDERFLOW -> isStarved = true;
            case BUFFER_OVERFLOW ->
                opened = ByteBuffer.allocate(Math.max(
                                2 * opened.capacity(), engine.getSession().getApplicationBufferSize()))
                        .flip();
            case CLOSED -> hasEnded = true;
            case OK -> isStarved = arrived.position() == 0;
        }
        noticeEnd(result);
        return true;
    }

    /** Reads more bytes from the socket. Returns false if it has none. */
    private boolean fetch() throws IOException {
        int bytes = channel.read(arrived);
        if (bytes < 0) hasEnded = true; // frames carry their lengths, so the frame layer notices a truncated stream
        isStarved = bytes <= 0;
        if (!isDone) requireTls();
        return bytes > 0;
    }

    /**
     * Throws {@link NotTls} if the first byte is not that of a TLS record. A plain frame begins with its length, a
     * multiple of 8, so its first byte is never one.
     */
    private void requireTls() throws NotTls {
        if (arrived.position() == 0) return;
        int first = arrived.get(0) & 0xff;
        if (first >= FIRST_RECORD && first <= LAST_RECORD) return;
        throw new NotTls(
                engine.getUseClientMode()
                        ? "the node speaks no TLS: take tls=on out of the URL, or start the node with --tls-cert and"
                                + " --tls-key"
                        : "the client speaks no TLS");
    }

    /** Encrypts bytes into records as far as there is room. Returns false if no record was made. */
    private boolean seal(ByteBuffer from) throws IOException {
        while (true) {
            SSLEngineResult result;
            try {
                result = engine.wrap(from, sealed);
            } catch (SSLException e) {
                throw failed(e);
            }
            switch (result.getStatus()) {
                case BUFFER_OVERFLOW -> {
                    int before = sealed.position();
                    send();
                    if (sealed.position() == before) return false;
                }
                case CLOSED -> {
                    if (from.hasRemaining()) throw new IOException("TLS: the connection is closed");
                    return false;
                }
                case OK, BUFFER_UNDERFLOW -> {
                    noticeEnd(result);
                    return result.bytesProduced() > 0;
                }
            }
        }
    }

    /** Notices the end of the handshake and sends the bytes that were buffered until then. */
    private void noticeEnd(SSLEngineResult result) throws IOException {
        if (result.getHandshakeStatus() != HandshakeStatus.FINISHED || isDone) return;
        isDone = true;
        early.flip();
        while (early.hasRemaining() && seal(early)) {}
        if (early.hasRemaining()) throw new IOException("TLS: the first words do not fit behind the handshake");
        send();
    }

    private void send() throws IOException {
        if (sealed.position() == 0) return;
        sealed.flip();
        try {
            channel.write(sealed);
        } finally {
            sealed.compact();
        }
    }

    private void take(ByteBuffer into) {
        if (!opened.hasRemaining()) return;
        int bytes = Math.min(into.remaining(), opened.remaining());
        into.put(into.position(), opened, opened.position(), bytes);
        into.position(into.position() + bytes);
        opened.position(opened.position() + bytes);
    }

    private IOException failed(SSLException why) {
        sayLastWords();
        return new IOException("TLS: " + why.getMessage(), why);
    }

    /** Sends the alert that tells the other end why the connection ends, or just that it ends. */
    private void sayLastWords() {
        try {
            engine.closeOutbound();
            while (!engine.isOutboundDone() && engine.wrap(NOTHING, sealed).getStatus() == SSLEngineResult.Status.OK) {}
            send();
        } catch (IOException e) {
            // The other end is gone.
        }
    }
}
