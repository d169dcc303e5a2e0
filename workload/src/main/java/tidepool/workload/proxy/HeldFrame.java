package tidepool.workload.proxy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A frame that the proxy keeps back, and with it all that follows on its connection in its direction, until it is released.
 * It knows when it left and what the other end made of it, so that a test can show that it really flew.
 */
public final class HeldFrame {
    private static final long MOST_SECONDS = 60;

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

    /** What became of it when it was let go. */
    public enum Fate {
        /** The kernel took all of it on the way to the other end. */
        SENT,
        /** The other end had closed the connection before, or the proxy did. */
        CLOSED
    }

    HeldFrame(Predicate<ProxiedFrame> wanted) {
        this.wanted = wanted;
    }

    /** Whether this is the frame, and nobody was faster. */
    synchronized boolean claims(ProxiedFrame candidate) {
        if (given || released.getCount() == 0 || !wanted.test(candidate)) return false;
        given = true;
        frame = candidate;
        return true;
    }

    /** In the thread of its connection, which is that session's: tells that it is caught, and waits until it may go. */
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

    /** What came back on its connection. */
    void sees(ProxiedFrame back) {
        if (!back.answers(frame)) return;
        answered = true;
        reaction.countDown();
    }

    /** The other end said its last on this connection. */
    void seesEnd() {
        reaction.countDown();
    }

    /** Waits until a frame is caught. */
    public ProxiedFrame awaitCaught() throws InterruptedException {
        await(caught, "no frame came that should be held");
        return frame;
    }

    /** Whose frame it is; a process that was suspected meanwhile has another session by now. */
    public int session() {
        return session;
    }

    public boolean isCaught() {
        return caught.getCount() == 0;
    }

    /** Lets it go; waits until it has left and the other end has answered it or closed the connection. */
    public Fate release() throws InterruptedException {
        let();
        await(left, "the frame did not leave");
        await(reaction, "nothing came of the frame");
        return fate;
    }

    /** What its client did after it, such as to die, is passed on only when the other end has had the time to take it. */
    void settle() throws InterruptedException {
        boolean _ = reaction.await(MOST_SECONDS, TimeUnit.SECONDS);
    }

    /** Lets it go, or catches nothing any more. */
    void let() {
        synchronized (this) {
            given = true;
        }
        released.countDown();
    }

    /** When it left, by {@link System#nanoTime}. */
    public long leftNanos() {
        return leftNanos;
    }

    /** Whether the node carried it out, or at least answered it. */
    public boolean isAnswered() {
        return answered;
    }

    private static void await(CountDownLatch what, String trouble) throws InterruptedException {
        if (!what.await(MOST_SECONDS, TimeUnit.SECONDS)) throw new IllegalStateException(trouble);
    }
}
