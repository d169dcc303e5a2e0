/** HDTX, completed from its slides and recoverable: see {@code docs/internals/protocols/hdtx.md}. */
package tidepool.protocol.hdtx;
