/** Figures of papers, reproduced in the simulator, in virtual time: see {@code docs/lab}. */
package tidepool.lab;
