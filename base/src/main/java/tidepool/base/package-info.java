/**
 * The ground under every room: time, randomness, ids, waiting, checks and words of memory.
 *
 * <p>The rooms above ask for these things here and nowhere else, so that the same seed gives the same bytes and the
 * same schedule on any machine.
 */
package tidepool.base;
