/** A transaction protocol in one file, to learn how one is added. */
package tidepool.examples.onelog;
