/** Figures of papers, reproduced in the simulator in virtual time: see {@code docs/benchmarks/lab}. */
package tidepool.lab;
