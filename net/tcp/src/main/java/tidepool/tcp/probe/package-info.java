/** Probes of single nodes: their status over the wire, without a pool. */
package tidepool.tcp.probe;
