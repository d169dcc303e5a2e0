/**
 * Stores side by side on one workload: ours on any protocol and fabric, and those of other people. Each contender has a JVM
 * of its own; they work in turns, a round each, so that a disturbance of the machine meets all of them. What a contender
 * has to offer is {@link tidepool.bench.race.Contender} and {@link tidepool.bench.race.Hand}; who there is says
 * {@link tidepool.bench.race.Entry}.
 */
package tidepool.bench.race;
