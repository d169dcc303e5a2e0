/**
 * Bytes with a layout: objects that can be locked, buckets, logs, the catalog, pointers and placement. What they are used
 * for, and in which order, is the business of {@code protocol}.
 */
package tidepool.store;
