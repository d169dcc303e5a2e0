package tidepool.bench.race;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import tidepool.base.Carrier;
import tidepool.base.Strand;
import tidepool.bench.AllocationCounter;

/**
 * One thread of a contender with its drivers, for all rounds. A single driver has the thread to itself; several are
 * strands on it. Between rounds the thread sleeps, because another contender is measured.
 */
final class ContenderThread {
    /** One order and the destination of its results. */
    private static final class Task {
        final WorkOrder order;
        final ThreadTally tally;
        final CompletableFuture<ThreadTally> result = new CompletableFuture<>();
        int begun;
        int ended;
        long bytesBefore;

        Task(WorkOrder order, ThreadTally tally) {
            this.order = order;
            this.tally = tally;
        }
    }

    private final Contender contender;
    private final ThreadOptions options;
    private final int number;
    private final Thread thread;
    private final List<Strand> strands = new ArrayList<>();
    private final CountDownLatch ready;
    private volatile Task task;
    private volatile Throwable failure;

    ContenderThread(Contender contender, ThreadOptions options, int number) {
        this.contender = contender;
        this.options = options;
        this.number = number;
        this.ready = new CountDownLatch(options.coordinators());
        this.thread = Thread.ofPlatform().name("contender-" + number).daemon().unstarted(this::main);
    }

    /** Starts the thread. Waits until all its drivers are ready. */
    void start() throws InterruptedException {
        thread.start();
        ready.await();
        rethrow(failure);
    }

    private void main() {
        if (options.coordinators() == 1) {
            drive(number);
            return;
        }
        Carrier carrier = new Carrier();
        for (int i = 0; i < options.coordinators(); i++) {
            int driverNumber = number * options.coordinators() + i;
            strands.add(carrier.start("hand-" + driverNumber, () -> drive(driverNumber)));
        }
        carrier.run();
    }

    /** Carries out one order after the other. */
    private void drive(int driverNumber) {
        try (ClientDriver driver = contender.driver(driverNumber, options.drivers(), options.seed())) {
            ready.countDown();
            Task done = null;
            while (true) {
                Task next = task;
                if (next == done) {
                    sleep();
                    continue;
                }
                done = next;
                if (next.order.what() == WorkOrder.What.STOP) break;
                obey(next, driver, driverNumber);
            }
        } catch (Throwable e) {
            failure = e;
            Task current = task;
            if (current != null) current.result.completeExceptionally(e);
            ready.countDown();
        }
        Task last = task;
        if (last != null && last.order.what() == WorkOrder.What.STOP && ++last.ended == options.coordinators())
            last.result.complete(null);
    }

    private void obey(Task next, ClientDriver driver, int driverNumber) {
        if (next.begun++ == 0) next.bytesBefore = AllocationCounter.ofThisThread();
        if (next.order.what() == WorkOrder.What.WARM_UP) driver.warmUp();
        else
            new WorkLoop(driver, next.tally, next.order)
                    .run((long) (next.order.intervalNanos() * driverNumber / options.drivers()));
        if (++next.ended < options.coordinators()) return;
        next.tally.allocated(AllocationCounter.ofThisThread() - next.bytesBefore);
        next.result.complete(next.tally);
    }

    private static void sleep() {
        if (Strand.current() != null) Strand.park();
        else LockSupport.park();
    }

    /** Returns whether one of its drivers has failed; then the thread carries out no more orders. */
    boolean hasFailed() {
        return failure != null;
    }

    /** Gives an order. The tally is filled when the future completes. */
    CompletableFuture<ThreadTally> give(WorkOrder order, ThreadTally tally) {
        Task next = new Task(order, tally);
        if (failure != null) {
            next.result.completeExceptionally(failure);
            return next.result;
        }
        task = next;
        for (Strand strand : strands) strand.unpark();
        LockSupport.unpark(thread);
        return next.result;
    }

    static ThreadTally result(CompletableFuture<ThreadTally> given) {
        try {
            return given.join();
        } catch (CompletionException e) {
            rethrow(e.getCause());
            throw e;
        }
    }

    private static void rethrow(Throwable failure) {
        if (failure instanceof RuntimeException told) throw told;
        if (failure instanceof Error error) throw error;
        if (failure != null) throw new IllegalStateException(failure);
    }
}
