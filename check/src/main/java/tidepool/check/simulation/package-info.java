/**
 * Random verbs of many strands against a simple model, in virtual time, with the adversary: {@code ./tidepool simulate}.
 *
 * <p>A run is a function of its options alone. Each {@code …Area} is a piece of the pool's memory, something that strands
 * do with it, and a model that knows which values are possible; whatever else is seen is a {@link
 * tidepool.check.simulation.Violation}. {@code Worker} is the strand, {@code Warden} replaces those that died.
 */
package tidepool.check.simulation;
