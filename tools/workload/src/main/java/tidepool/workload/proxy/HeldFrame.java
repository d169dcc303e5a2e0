package tidepool.workload.proxy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A frame that the proxy holds until its release, with all later frames on its connection in its direction. It records
 * when it left and how the other end reacted, so a test can show that the frame was really flying.
 */
public final class HeldFrame {
    private static final long MAX_SECONDS = 60;

    private final Predicate<ProxiedFrame> wanted;
    private final CountDownLatch caught = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch left = new CountDownLatch(1);
    private final CountDownLatch reaction = new CountDownLatch(1);
    private volatile ProxiedFrame frame;
    private volatile int session;
    private volatile long leftNanos;
    private volatile Fate fate;
    private volatile boolean answered;
    private boolean given; // guarded by this

    /** The fate of the frame at its release. */
    public enum Fate {
        /** The kernel accepted all of it for the other end. */
        SENT,
        /** The other end or the proxy had closed the connection before. */
        CLOSED
    }

    HeldFrame(Predicate<ProxiedFrame> wanted) {
        this.wanted = wanted;
    }

    /** Returns whether this is the wanted frame and no other connection has caught one before. */
    synchronized boolean claims(ProxiedFrame candidate) {
        if (given || released.getCount() == 0 || !wanted.test(candidate)) return false;
        given = true;
        frame = candidate;
        return true;
    }

    /**
     * Called in the thread of its connection, which belongs to that session. Reports that the frame is caught, and
     * waits for its release.
     */
    void park(int sender) throws InterruptedException {
        session = sender;
        caught.countDown();
        released.await();
    }

    void left(Fate how) {
        leftNanos = System.nanoTime();
        fate = how;
        left.countDown();
        if (how == Fate.CLOSED) reaction.countDown();
    }

    /** Called for each frame that comes back on its connection. */
    void sees(ProxiedFrame back) {
        if (!back.answers(frame)) return;
        answered = true;
        reaction.countDown();
    }

    /** Called when the other end has ended this connection. */
    void seesEnd() {
        reaction.countDown();
    }

    /** Waits until a frame is caught. */
    public ProxiedFrame awaitCaught() throws InterruptedException {
        await(caught, "no frame came that should be held");
        return frame;
    }

    /** Returns the session of the frame. A process that was suspected meanwhile has another session by now. */
    public int session() {
        return session;
    }

    /** Releases the frame. Waits until it has left and the other end has answered it or closed the connection. */
    public Fate release() throws InterruptedException {
        let();
        await(left, "the frame did not leave");
        await(reaction, "nothing came of the frame");
        return fate;
    }

    /**
     * Waits for the reaction of the other end. Later events of the client, such as its death, are passed on only after
     * that.
     */
    void settle() throws InterruptedException {
        boolean _ = reaction.await(MAX_SECONDS, TimeUnit.SECONDS);
    }

    /** Releases the frame, or stops waiting for one. */
    void let() {
        synchronized (this) {
            given = true;
        }
        released.countDown();
    }

    /** Returns when the frame left, by {@link System#nanoTime}. */
    public long leftNanos() {
        return leftNanos;
    }

    /** Returns whether the node carried the frame out, or at least answered it. */
    public boolean isAnswered() {
        return answered;
    }

    private static void await(CountDownLatch what, String trouble) throws InterruptedException {
        if (!what.await(MAX_SECONDS, TimeUnit.SECONDS)) throw new IllegalStateException(trouble);
    }
}
