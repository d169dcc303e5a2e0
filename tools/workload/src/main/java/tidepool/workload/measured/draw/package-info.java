/** Random choices of keys. All choices follow from a seed, are equal on every machine, and allocate nothing. */
package tidepool.workload.measured.draw;
