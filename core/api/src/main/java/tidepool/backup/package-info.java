/** A whole pool in a file: written from a copy that no session changes, checked, and restored into a new pool. */
package tidepool.backup;
