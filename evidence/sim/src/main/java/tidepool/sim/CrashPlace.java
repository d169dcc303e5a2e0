package tidepool.sim;

/**
 * The verb at which a planned {@link CrashPoint} was reached.
 *
 * @param label the label of the verb's round
 * @param verb its number in the round, counted from 0
 * @param verbs the number of verbs of the round
 */
public record CrashPlace(int label, int verb, int verbs) {}
