/** Other people's stores as contenders of {@code bench smallbank}, with settings that do not change. */
package tidepool.peers;
