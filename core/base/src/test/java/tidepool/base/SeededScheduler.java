package tidepool.base;

import java.util.ArrayList;
import java.util.List;

/** A small simulator: virtual time, and the next strand is drawn from the seed. */
final class SeededScheduler extends Scheduler {
    private final ManualClock clock = new ManualClock();
    private final Randomness randomness;
    private final List<Strand> ready = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private int alive;

    SeededScheduler(long seed, Coroutine.Kind kind) {
        super(kind);
        randomness = new Randomness(seed).fork("schedule");
    }

    /** Runs until no strand is ready and none sleeps. */
    void run() {
        loop(this::runAll);
    }

    private void runAll() {
        while (true) {
            while (!ready.isEmpty()) resume(ready.remove(randomness.nextInt(ready.size())));
            long nextNanos = nextWakeNanos();
            if (nextNanos == Long.MAX_VALUE) return;
            clock.advanceTo(nextNanos);
            wakeSleepers(nextNanos);
        }
    }

    int alive() {
        return alive;
    }

    List<String> failures() {
        return failures;
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    protected void ready(Strand strand) {
        ready.add(strand);
    }

    @Override
    protected void starting(Strand strand) {
        alive++;
    }

    @Override
    protected void ended(Strand strand) {
        alive--;
    }

    @Override
    protected void failed(Strand strand, Throwable thrown) {
        failures.add(strand + " failed with " + thrown.getMessage());
    }
}
