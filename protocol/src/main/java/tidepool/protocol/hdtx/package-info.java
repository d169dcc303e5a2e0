/** HDTX, completed from its slides and recoverable: see {@code docs/protocols/hdtx.md}. */
package tidepool.protocol.hdtx;
