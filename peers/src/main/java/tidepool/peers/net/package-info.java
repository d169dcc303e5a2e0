/** Other people's transports under {@code bench net}: what decision 0007 chose between. */
package tidepool.peers.net;
