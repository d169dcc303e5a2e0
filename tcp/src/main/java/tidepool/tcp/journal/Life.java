package tidepool.tcp.journal;

/**
 * One start of a node.
 *
 * @param number how often the node had been started, this start included
 * @param nonce random; tells this start from another one of the same number, which an older folder would begin; 0 in
 *     journals of format version 1
 * @param powerLosses how often the node had come back without what was not kept
 * @param shortfall the last start at which the journal was found shorter than what was acknowledged
 */
public record Life(long number, long nonce, long powerLosses, Shortfall shortfall) {}
