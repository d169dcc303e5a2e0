/**
 * Litmus tests of transaction protocols: small programs of a few parts. Each has an outcome that must never occur, and
 * a condition under which a round counts. {@link tidepool.evidence.litmus.LitmusSuite} plays them on simulated machines
 * and on real processes; {@code docs/evidence/litmus.md} is the table.
 */
package tidepool.evidence.litmus;
