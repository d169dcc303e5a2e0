/** A transaction protocol in one file, which shows how a protocol is added. */
package tidepool.examples.onelog;
