/**
 * Benchmarks. A figure is always a ratio to a reference of the same run, because machines are noisy. Everything is
 * measured with all checks and counters on, as users run it.
 */
package tidepool.bench;
