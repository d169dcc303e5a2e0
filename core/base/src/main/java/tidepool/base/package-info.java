/**
 * The module under all others: time, randomness, ids, waiting, checks and words of memory.
 *
 * <p>The upper modules get these from here alone, so that one seed gives the same bytes and the same schedule on any
 * machine.
 */
package tidepool.base;
