/**
 * Measures. A figure is always a ratio to something measured in the same run, because machines are noisy; everything is
 * measured with all checks and counters on, as users run it.
 */
package tidepool.bench;
