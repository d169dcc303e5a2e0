/** Foreign stores as contenders of the races, with settings that do not change: docs/benchmarks/peers.md. */
package tidepool.peers;
