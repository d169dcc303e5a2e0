package tidepool.workload.proxy;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import tidepool.wire.ControlCode;
import tidepool.wire.Frame;

/** A connection of a client and its connection to the node, with a thread for each direction. */
final class ProxiedConnection {
    private static final int BUFFER_BYTES = 64 << 10;

    private final FaultProxy proxy;
    private final Socket client;
    private final Socket node;
    private final boolean[] mute = new boolean[Direction.values().length]; // guarded by this
    private int session; // attached here; used by the thread to the node
    private volatile HeldFrame held;
    private volatile boolean lossy;
    private volatile boolean nodeEnded;
    private int ended; // guarded by this

    ProxiedConnection(FaultProxy proxy, Socket client, Socket node) {
        this.proxy = proxy;
        this.client = client;
        this.node = node;
    }

    void start() {
        Thread.ofVirtual().name("proxy to node").start(() -> pump(Direction.TO_NODE, client, node));
        Thread.ofVirtual().name("proxy to client").start(() -> pump(Direction.TO_CLIENT, node, client));
    }

    private void pump(Direction direction, Socket from, Socket to) {
        try {
            pass(direction, from, to);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ended();
    }

    private void pass(Direction direction, Socket from, Socket to) throws InterruptedException {
        boolean broken = false;
        try {
            InputStream in = new BufferedInputStream(from.getInputStream(), BUFFER_BYTES);
            OutputStream out = new BufferedOutputStream(to.getOutputStream(), BUFFER_BYTES);
            for (ProxiedFrame frame = next(direction, in, out); frame != null; frame = next(direction, in, out))
                broken |= !pass(frame, out, broken);
            if (direction == Direction.TO_NODE && held != null) held.settle();
            end(direction, to);
        } catch (IOException e) {
            if (direction == Direction.TO_CLIENT) nodeHasEnded();
            else if (held != null) held.settle();
            // The sender reset the connection or sent no valid frame. The receiver sees a reset, too.
            if (!proxy.swallows(direction)) reset(to);
            else lossy = true;
        }
    }

    /** Reads the next frame. Frames that arrived together leave together. */
    private static ProxiedFrame next(Direction direction, InputStream in, OutputStream out) throws IOException {
        if (in.available() == 0) flush(out);
        return ProxiedFrame.read(direction, in);
    }

    private static void flush(OutputStream out) {
        try {
            out.flush();
        } catch (IOException e) {
            // A receiver that is gone is noticed by the thread that reads from it.
        }
    }

    /** Passes a frame on. Returns whether the direction is still open afterwards. */
    private boolean pass(ProxiedFrame frame, OutputStream out, boolean broken) throws InterruptedException {
        HeldFrame back = held;
        if (back != null && frame.direction() == Direction.TO_CLIENT) back.sees(frame);
        if (frame.direction() == Direction.TO_NODE && frame.kind() == Frame.CONTROL) look(frame);
        HeldFrame caught = proxy.caught(frame);
        if (caught != null) {
            held = caught;
            if (nodeEnded) caught.seesEnd();
            flush(out); // earlier frames are not held
            caught.park(session);
        }
        long delay = proxy.delayNanos(frame.direction());
        if (delay > 0) {
            flush(out);
            TimeUnit.NANOSECONDS.sleep(delay);
        }
        boolean swallowed = proxy.swallows(frame.direction());
        if (swallowed || isMute(frame.direction())) {
            if (swallowed) lossy = true;
            if (caught != null) caught.left(HeldFrame.Fate.CLOSED);
            return !broken;
        }
        boolean sent = !broken && write(proxy.altered(frame), out, caught != null);
        proxy.passed(frame);
        if (caught != null) caught.left(sent ? HeldFrame.Fate.SENT : HeldFrame.Fate.CLOSED);
        return sent;
    }

    private void look(ProxiedFrame control) {
        if (control.word(0) == ControlCode.ATTACH) session = (int) control.word(1);
    }

    private static boolean write(ProxiedFrame frame, OutputStream out, boolean atOnce) {
        try {
            frame.write(out);
            if (atOnce) out.flush();
            return true;
        } catch (IOException e) {
            return false; // the reader of the other direction notices, too; until then frames are dropped
        }
    }

    /** Called when one end has ended the connection. Passes the end on to the other. */
    private void end(Direction direction, Socket to) {
        if (direction == Direction.TO_CLIENT) nodeHasEnded();
        if (proxy.swallows(direction)) lossy = true;
        else if (!isMute(direction)) shutdown(to);
    }

    private void nodeHasEnded() {
        nodeEnded = true;
        if (held != null) held.seesEnd();
    }

    /** Called when one direction has ended. */
    private void ended() {
        synchronized (this) {
            // If frames were lost the connection stays: neither end knows.
            if (++ended < Direction.values().length || lossy) return;
        }
        cut();
    }

    private synchronized boolean isMute(Direction direction) {
        return mute[direction.ordinal()];
    }

    /** Closes one direction as if the sender had: an unexpected end, while the other direction continues. */
    void halfClose(Direction direction) {
        synchronized (this) {
            mute[direction.ordinal()] = true;
        }
        shutdown(direction == Direction.TO_NODE ? node : client);
    }

    private static void shutdown(Socket socket) {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            // It is closed already.
        }
    }

    /** Returns whether frames of the connection were dropped; then it cannot continue. */
    boolean isLossy() {
        return lossy;
    }

    /** Resets the connection at both ends. */
    void cut() {
        nodeHasEnded();
        if (held != null) held.let();
        reset(client);
        reset(node);
        proxy.forget(this);
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // It is closed already.
        }
        try {
            socket.close();
        } catch (IOException e) {
            // An error of close does not matter.
        }
    }
}
