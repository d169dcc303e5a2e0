/**
 * The promises of the fabric contract, tested on real processors by jcstress: two or more threads access a few words of
 * a {@code mem:} pool, millions of times, and every outcome is counted. {@code docs/evidence/stress.md} lists the
 * results.
 */
package tidepool.stress;
