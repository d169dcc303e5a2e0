package tidepool.node.journal;

import tidepool.wire.Shortfall;

/**
 * One life of a node, from a start to the next.
 *
 * @param number count of the node's starts, this one included
 * @param nonce random; distinguishes this start from a start with an equal number on an older copy of the folder; 0 in
 *     journals of format version 1
 * @param powerLosses how often the node had restarted without the changes that were not kept
 * @param shortfall the last start at which the journal was found shorter than what was acknowledged
 */
public record Life(long number, long nonce, long powerLosses, Shortfall shortfall) {}
