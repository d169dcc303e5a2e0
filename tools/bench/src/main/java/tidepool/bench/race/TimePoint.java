package tidepool.bench.race;

/**
 * The progress of a contender at a moment of a round.
 *
 * @param millis since the round began
 * @param commits since the round began
 */
record TimePoint(long millis, long commits) {}
