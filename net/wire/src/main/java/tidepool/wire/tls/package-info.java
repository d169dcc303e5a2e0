/** TLS, tokens, proofs and rights, as both ends of a connection use them. */
package tidepool.wire.tls;
