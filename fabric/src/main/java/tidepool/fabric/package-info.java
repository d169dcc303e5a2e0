/**
 * One-sided verbs in rounds: the only way from a coordinator to the pool.
 *
 * <p>{@link tidepool.fabric.Round} is the one idea to protect: verbs for one or more memory nodes, posted together,
 * awaited together, counted in one place. Everything a fabric promises, and everything it does not, is written in
 * {@code docs/fabric-contract.md} and tested by {@code tidepool.check.FabricContract}.
 */
package tidepool.fabric;
