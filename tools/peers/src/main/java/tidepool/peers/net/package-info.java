/** Foreign transports under {@code bench net}: the candidates of decision 0009. */
package tidepool.peers.net;
