/** Observation of nodes by their operators: status over the wire, metrics and health over HTTP. */
package tidepool.tcp.ops;
