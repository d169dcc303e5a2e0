/** The command. */
package tidepool.cli;
