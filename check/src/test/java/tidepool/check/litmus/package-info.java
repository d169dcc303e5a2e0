/**
 * Litmus tests of transaction protocols: small programs of a few parts, each with an outcome that must never be, and with
 * the condition under which it says something at all. {@link tidepool.check.litmus.LitmusSuite} plays them on simulated
 * machines and on real processes; {@code docs/litmus.md} is the table.
 */
package tidepool.check.litmus;
