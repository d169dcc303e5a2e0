/** {@code bench index}: what inserts into an ordered table cost, and the shape of the tree that they leave. */
package tidepool.bench.index;
