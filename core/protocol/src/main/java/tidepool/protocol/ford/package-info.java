/** FORD, corrected and recoverable: see {@code docs/internals/protocols/ford.md}. */
package tidepool.protocol.ford;
