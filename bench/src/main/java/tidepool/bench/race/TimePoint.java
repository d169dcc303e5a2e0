package tidepool.bench.race;

/**
 * How far a contender was at some moment of a round.
 *
 * @param millis since the round began
 * @param commits since then
 */
record TimePoint(long millis, long commits) {}
