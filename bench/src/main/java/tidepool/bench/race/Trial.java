package tidepool.bench.race;

/** A contender put to work inside this process, for tests of what it does rather than how fast. */
public final class Trial {
    private Trial() {}

    /** Lets it work for so long on so many threads. Returns how many transactions committed. */
    public static long run(Contender contender, int threads, long seed, long millis) {
        try (Crew crew = new Crew(contender, new CrewOptions(threads, 1, 0, seed))) {
            return crew.round(millis * 1_000_000, progress -> {}).count(End.COMMITTED);
        }
    }

    /** Lets a hand work through so many transactions. */
    public static void work(Hand hand, int transactions) {
        for (int i = 0; i < transactions; i++) {
            hand.draw();
            hand.run();
        }
    }

    /** The same with as many under way as there may be; in the end none is. */
    public static void workPipelined(PipelinedHand hand, int transactions) {
        int posted = 0;
        for (int taken = 0; taken < transactions; taken++) {
            for (; posted < transactions && posted - taken < hand.outstanding(); posted++) {
                hand.draw();
                hand.post();
            }
            hand.take();
        }
    }
}
