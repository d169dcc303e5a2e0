package tidepool.tcp.secure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import tidepool.tcp.wire.Transport;

/**
 * One end of TLS over a socket that never waits.
 *
 * <pre>
 *   write -> early (until the handshake is done) -> wrap   -> sealed   -> socket
 *   read  <- opened                              <- unwrap <- arrived  <- socket
 * </pre>
 *
 * The handshake goes on in whatever is called. What is written before it is done is kept, so that a caller who waits until
 * the socket can be written does not spin while the other end thinks. Buffers lie on the heap: the engine is quicker there,
 * and the collector takes them with the connection. One thread may read while another writes; nothing here waits, so the
 * monitor is never held for long.
 */
final class TlsTransport implements Transport {
    /** A handshake's worth; who wants to say more has to hear something first. */
    private static final int MOST_EARLY = 4096;

    /** Records without data that one read puts up with, so that nobody keeps the thread busy with them. */
    private static final int MOST_EMPTY_RECORDS = 32;

    /** Kinds of TLS records: change of cipher, alert, handshake, data. */
    private static final int FIRST_RECORD = 20;

    private static final int LAST_RECORD = 23;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine engine;
    private final SocketChannel channel;
    private final ByteBuffer early = ByteBuffer.allocate(MOST_EARLY);
    private final ByteBuffer arrived; // between calls: ready to be filled
    private final ByteBuffer sealed; // between calls: ready to be filled
    private ByteBuffer opened; // between calls: ready to be taken from
    private boolean isStarved = true; // arrived is less than a record
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
        while (into.hasRemaining() && empty < MOST_EMPTY_RECORDS && !hasEnded && advance()) {
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

    /** Says goodbye as far as that goes without waiting. */
    @Override
    public synchronized void close() {
        if (!channel.isOpen()) return;
        try {
            if (hasBegun()) sayLastWords();
        } finally {
            try {
                channel.close();
            } catch (IOException e) {
                // It is closed as far as we are concerned.
            }
        }
    }

    /** A client has something to say before it has heard anything; a node has not. */
    private boolean hasBegun() {
        return isDone || !engine.getUseClientMode() || engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    /** One step towards more data: false if it has to come from the socket first, or to leave by it. */
    private boolean advance() throws IOException {
        return switch (engine.getHandshakeStatus()) {
            case NEED_TASK, NEED_WRAP -> shakeHands();
            case NOT_HANDSHAKING, FINISHED, NEED_UNWRAP, NEED_UNWRAP_AGAIN -> open();
        };
    }

    /** Everything of the handshake that needs nothing from the other end; false if the socket takes no more. */
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

    /** Opens one record; false if there is none. */
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

    /** More bytes from the socket; false if it has none. */
    private boolean fetch() throws IOException {
        int bytes = channel.read(arrived);
        if (bytes < 0) hasEnded = true; // frames say how long they are, so an end that was cut short is noticed there
        isStarved = bytes <= 0;
        if (!isDone) requireTls();
        return bytes > 0;
    }

    /**
     * What comes first tells whether the other end means TLS at all. The length of a plain frame never looks like it.
     */
    private void requireTls() throws NotTls {
        if (arrived.position() == 0) return;
        int first = arrived.get(0) & 0xff;
        if (first >= FIRST_RECORD && first <= LAST_RECORD) return;
        throw new NotTls(
                engine.getUseClientMode()
                        ? "the node speaks no TLS: take tls=on out of the URL, or start the node with --tls-cert and --tls-key"
                        : "the client speaks no TLS");
    }

    /** Makes records of what there is, as far as there is room; false if none was made. */
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

    /** The handshake is done: what was kept back goes out. */
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

    /** The alert that tells the other end why, or that this is the end. */
    private void sayLastWords() {
        try {
            engine.closeOutbound();
            while (!engine.isOutboundDone() && engine.wrap(NOTHING, sealed).getStatus() == SSLEngineResult.Status.OK) {}
            send();
        } catch (IOException e) {
            // Nobody listens any more.
        }
    }
}
