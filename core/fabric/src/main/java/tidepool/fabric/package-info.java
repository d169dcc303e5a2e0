/**
 * One-sided verbs in rounds: the only way from a coordinator to the pool.
 *
 * <p>{@link tidepool.fabric.Round} is the central concept: verbs for one or more memory nodes, posted together, awaited
 * together, counted in one place. {@code docs/internals/fabric-contract.md} states everything a fabric promises and
 * everything it does not; {@code tidepool.contracts.FabricContract} tests it.
 */
package tidepool.fabric;
