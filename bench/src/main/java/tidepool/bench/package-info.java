/** Measurements of the rooms, written as JSON beside the machine's own limit. */
package tidepool.bench;
