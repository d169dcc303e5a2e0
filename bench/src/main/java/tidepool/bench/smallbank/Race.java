package tidepool.bench.smallbank;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The threads of one contender: each has its teller for all rounds, and all begin a round together. */
final class Race implements AutoCloseable {
    private final int customers;
    private final long seed;
    private final List<ExecutorService> threads = new ArrayList<>();
    private final List<Teller> tellers = new ArrayList<>();
    private final CyclicBarrier start;

    Race(Bank bank, int threadCount, int customers, long seed) {
        this.customers = customers;
        this.seed = seed;
        this.start = new CyclicBarrier(threadCount);
        for (int i = 0; i < threadCount; i++) {
            int number = i;
            ExecutorService thread = Executors.newSingleThreadExecutor(
                    work -> Thread.ofPlatform().name("teller-" + number).unstarted(work));
            threads.add(thread);
            tellers.add(result(thread.submit(bank::teller)));
        }
    }

    /**
     * One round of all threads. Round 0 warms up: every teller asks for every balance once, so that whoever remembers where
     * accounts lie knows it of all of them, and caches have grown.
     */
    RoundResult round(int number, long nanos) {
        List<Future<RoundResult>> results = new ArrayList<>();
        for (int i = 0; i < threads.size(); i++) {
            if (number == 0) threads.get(i).execute(sweep(tellers.get(i)));
            results.add(threads.get(i).submit(shift(number, i, nanos)));
        }
        RoundResult all = null;
        for (Future<RoundResult> one : results) all = all == null ? result(one) : all.with(result(one));
        return all;
    }

    private Runnable sweep(Teller teller) {
        return () -> {
            long seen = 0;
            for (int customer = 0; customer < customers; customer++) seen += teller.balance(customer);
            if (seen == Long.MIN_VALUE) throw new IllegalStateException("not so much money");
        };
    }

    private Callable<RoundResult> shift(int round, int thread, long nanos) {
        return () -> {
            Shift shift = new Shift(tellers.get(thread), new Requests(seed, round, thread, customers));
            try {
                start.await();
            } catch (BrokenBarrierException e) {
                throw new IllegalStateException("another thread failed", e);
            }
            RoundResult result = shift.work(nanos);
            if (shift.seen() == Long.MIN_VALUE) throw new IllegalStateException("not so much money");
            return result;
        };
    }

    private static <T> T result(Future<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException told ? told : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        for (ExecutorService thread : threads) thread.shutdownNow();
    }
}
