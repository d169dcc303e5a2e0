/**
 * What the network itself costs: small messages there and back between two processes over loopback, by plain sockets and by
 * other people's transports. The limit that the TCP fabric is held to, and the figures of decision 0009.
 */
package tidepool.bench.net;
