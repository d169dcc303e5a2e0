/**
 * The simulator: a whole pool in virtual time, from one seed.
 *
 * <p>{@link tidepool.sim.Simulation} decides which strand runs and when. {@link tidepool.sim.SimFabric} carries verbs
 * at the costs of a {@link tidepool.sim.CostProfile}. The {@link tidepool.sim.Adversary} does whatever the fabric
 * contract does not forbid. A verb is a {@link tidepool.sim.VerbInFlight}: posted, held by a fence, arriving, taking
 * effect in one or several parts, answered. {@code docs/evidence/simulation.md} says how to write a test and how to
 * repeat one, {@code docs/benchmarks/cost-model.md} where the numbers come from.
 */
package tidepool.sim;
