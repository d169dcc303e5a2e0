/** FORD, corrected and recoverable: see {@code docs/protocols/ford.md}. */
package tidepool.protocol.ford;
