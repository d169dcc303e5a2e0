package tidepool.base;

import java.util.concurrent.locks.LockSupport;

/**
 * A coroutine in a thread of its own. A baton says which of the two threads may run, that of the resumer or that of the
 * body; the other one sleeps. So exactly one runs at a time, and each sees all writes of the other.
 *
 * <p>Passing the baton between two virtual threads is some thirty times cheaper than through the kernel (decision
 * 0001). So the thread is virtual if the first resumer is virtual; {@link Scheduler#loop} provides a virtual one. The
 * threads are daemons: a strand that waits for ever does not keep the process alive.
 */
final class ThreadCoroutine extends Coroutine {
    private Thread thread; // null until the first resume
    private Thread resumer;
    private boolean abandoned;
    private volatile boolean bodyHasBaton;

    ThreadCoroutine(String name, Runnable body) {
        super(name, body);
    }

    @Override
    public boolean resume() {
        if (isDone()) return true;
        Checks.invariant(!bodyHasBaton, "a coroutine is resumed by one caller at a time");
        resumer = Thread.currentThread();
        bodyHasBaton = true;
        if (thread == null) {
            Thread.Builder threads = resumer.isVirtual()
                    ? Thread.ofVirtual()
                    : Thread.ofPlatform().daemon();
            thread = threads.name(name()).unstarted(this::runThread);
            thread.start();
        } else {
            LockSupport.unpark(thread);
        }
        boolean interrupted = false;
        while (bodyHasBaton) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted(); // else park would return at once, and this loop would spin
        }
        if (interrupted) Thread.currentThread().interrupt();
        return isDone();
    }

    @Override
    public void suspend() {
        Checks.invariant(Thread.currentThread() == thread, "only the coroutine itself can suspend itself");
        if (abandoned) throw Abandoned.CRASH; // a finally block that waits must not wait for ever
        bodyHasBaton = false;
        LockSupport.unpark(resumer);
        boolean interrupted = false;
        while (!bodyHasBaton) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) thread.interrupt();
        if (abandoned) throw Abandoned.CRASH;
    }

    @Override
    public void abandon() {
        if (isDone()) return;
        abandoned = true;
        if (Thread.currentThread() == thread) throw Abandoned.CRASH;
        Checks.invariant(!bodyHasBaton, "a coroutine is abandoned by itself or while it is suspended");
        if (thread != null) resume();
        end();
    }

    private void runThread() {
        runBody();
        bodyHasBaton = false;
        LockSupport.unpark(resumer);
    }
}
