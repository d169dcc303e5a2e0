/** Other people's transports under {@code bench net}: what decision 0009 chose between. */
package tidepool.peers.net;
