/** Other people's stores as contenders of the races, with settings that do not change: docs/peers.md. */
package tidepool.peers;
