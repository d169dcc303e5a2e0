/** Frames and transports: what both ends of a connection agree on. */
package tidepool.tcp.wire;
