/** Observation of a node over HTTP: metrics for Prometheus, and health. */
package tidepool.node.metrics;
