/**
 * Feeds parsers with hostile input: each target takes bytes and knows which conditions must hold, whatever they are.
 */
package tidepool.fuzz;
