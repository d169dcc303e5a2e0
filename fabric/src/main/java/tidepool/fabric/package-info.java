/** One-sided verbs in rounds, and the fabrics that carry them to memory nodes. */
package tidepool.fabric;
