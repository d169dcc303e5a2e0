package tidepool.bench.race;

/**
 * The progress of a running round.
 *
 * @param millis since it began
 * @param commitsPerSecond in the last moments
 * @param p99Nanos roughly, since it began
 */
record RoundProgress(long millis, double commitsPerSecond, long p99Nanos) {
    String text() {
        return millis + " " + Math.round(commitsPerSecond) + " " + p99Nanos;
    }

    static RoundProgress parse(String text) {
        String[] words = text.split(" ", -1);
        return new RoundProgress(Long.parseLong(words[0]), Double.parseDouble(words[1]), Long.parseLong(words[2]));
    }
}
