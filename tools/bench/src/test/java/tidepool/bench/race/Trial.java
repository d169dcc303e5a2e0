package tidepool.bench.race;

/** Runs a contender inside this process, for tests of its behaviour rather than its speed. */
public final class Trial {
    private Trial() {}

    private static final int MAX_ROUNDS = 100;

    /**
     * Lets a contender work for {@code millis} on {@code threads} threads. Returns the number of committed
     * transactions.
     */
    public static long run(Contender contender, int threads, long seed, long millis) {
        try (ContenderThreads contenderThreads =
                new ContenderThreads(contender, new ThreadOptions(threads, 1, 0, seed))) {
            return round(contenderThreads, millis).count(TxnEnd.COMMITTED);
        }
    }

    /**
     * Returns the first round of {@code millis} in which a transaction committed, or the last of {@value #MAX_ROUNDS}.
     * On a busy machine a thread may sleep through a whole round.
     */
    static RoundResult round(ContenderThreads contenderThreads, long millis) {
        RoundResult result = contenderThreads.round(millis * 1_000_000, progress -> {});
        for (int i = 1; i < MAX_ROUNDS && result.count(TxnEnd.COMMITTED) == 0; i++)
            result = contenderThreads.round(millis * 1_000_000, progress -> {});
        return result;
    }

    /** Runs this number of transactions on a driver. */
    public static void work(ClientDriver driver, int transactions) {
        for (int i = 0; i < transactions; i++) {
            driver.draw();
            driver.run();
        }
    }

    /** Runs this number of transactions with the highest number under way. In the end none is under way. */
    public static void workPipelined(PipelinedDriver driver, int transactions) {
        int posted = 0;
        for (int taken = 0; taken < transactions; taken++) {
            for (; posted < transactions && posted - taken < driver.outstanding(); posted++) {
                driver.draw();
                driver.post();
            }
            driver.take();
        }
    }
}
