/** The memory node as a process: a loop that carries out what arrives. */
package tidepool.tcp.node;
