package tidepool.bench.race;

/**
 * How a round goes, while it does.
 *
 * @param millis since it began
 * @param commitsPerSecond in the last moments
 * @param p99Nanos roughly, since it began
 */
record Progress(long millis, double commitsPerSecond, long p99Nanos) {
    String text() {
        return millis + " " + Math.round(commitsPerSecond) + " " + p99Nanos;
    }

    static Progress parse(String text) {
        String[] words = text.split(" ", -1);
        return new Progress(Long.parseLong(words[0]), Double.parseDouble(words[1]), Long.parseLong(words[2]));
    }
}
