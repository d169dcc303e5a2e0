/** Rows of a table as text: JSON lines and CSV, in both directions. */
package tidepool.cli.transfer;
