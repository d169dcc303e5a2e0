/** Feeds parsers with what no friend would send: each target takes bytes and knows what must hold, whatever they are. */
package tidepool.fuzz;
