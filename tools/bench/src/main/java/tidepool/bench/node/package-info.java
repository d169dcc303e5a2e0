/** Memory nodes as processes, for measurements over TCP. */
package tidepool.bench.node;
