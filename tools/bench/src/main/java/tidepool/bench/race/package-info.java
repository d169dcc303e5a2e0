/**
 * Races of stores on one workload: Tidepool with any protocol and fabric, and foreign stores. Each contender has its
 * own JVM. They work in turns, a round each, so that a disturbance of the machine meets all of them. A contender
 * implements {@link tidepool.bench.race.Contender} and {@link tidepool.bench.race.ClientDriver};
 * {@link tidepool.bench.race.RaceEntry} names it.
 */
package tidepool.bench.race;
