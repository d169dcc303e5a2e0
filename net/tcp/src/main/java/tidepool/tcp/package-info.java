/**
 * The client side of {@code tcp://host:port,host:port/pool}: a pool whose memory nodes are processes on the network.
 */
package tidepool.tcp;
