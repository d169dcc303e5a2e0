/** Frames and transports: the conventions that both ends of a connection share. */
package tidepool.wire;
