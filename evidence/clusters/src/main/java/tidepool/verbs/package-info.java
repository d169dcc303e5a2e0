/**
 * Random verbs of many strands against a simple model, in virtual time, with the adversary:
 * {@code ./tidepool simulate}.
 *
 * <p>A run is a function of its options and its seed. Each {@code …Area} is a piece of the pool's memory, the verbs of
 * strands on it, and a model that knows which values are possible; any other value is a
 * {@link tidepool.verbs.Violation}. {@code VerbStrand} is the strand, {@code Warden} replaces those that
 * died.
 */
package tidepool.verbs;
