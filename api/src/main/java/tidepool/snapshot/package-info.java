/** A whole pool in a file: written from a copy that nobody changes, checked, and made into a new pool. */
package tidepool.snapshot;
