/**
 * The cost of the network itself: small messages in both directions between two processes over loopback, by plain
 * sockets and by foreign transports. These are the limit to which the TCP fabric is compared, and the figures of
 * decision 0009.
 */
package tidepool.bench.net;
