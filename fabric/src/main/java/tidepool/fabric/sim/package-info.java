/**
 * The simulator: a whole pool in virtual time, from one seed.
 *
 * <p>{@link tidepool.fabric.sim.Simulation} decides which strand runs and when; {@link tidepool.fabric.sim.SimFabric}
 * carries verbs over a {@link tidepool.fabric.sim.CostProfile}, and the {@link tidepool.fabric.sim.Adversary} does
 * whatever the fabric contract does not forbid. A verb is a {@link tidepool.fabric.sim.Flight}: posted, held by a fence,
 * arriving, taking effect in one or several parts, answered. {@code docs/simulation.md} says how to write a test and how
 * to repeat one, {@code docs/cost-model.md} where the numbers come from.
 */
package tidepool.fabric.sim;
