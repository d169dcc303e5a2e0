/**
 * The promises of the fabric contract, put to real processors by jcstress: two or more threads meet in a few words of a
 * {@code mem:} pool, millions of times, and every outcome is counted. {@code docs/stress.md} says what was seen.
 */
package tidepool.stress;
