/**
 * The straw-man: transactions on hash maps in one process, with locks and nothing else. It keeps no logs and no replicas
 * and survives nothing, so what it reaches on a workload is about the most that plain Java can; ours is held against it.
 * {@link tidepool.bench.straw.StrawStore} is where to begin.
 */
package tidepool.bench.straw;
