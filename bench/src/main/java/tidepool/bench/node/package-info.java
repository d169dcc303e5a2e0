/** Memory nodes as processes, for measuring what goes over TCP. */
package tidepool.bench.node;
