/** {@code bench growth}: the inserts into a table while it grows. */
package tidepool.bench.growth;
