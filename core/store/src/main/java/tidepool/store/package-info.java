/**
 * Bytes with a layout: objects that can be locked, buckets, logs, the catalog, pointers and placement. How they are
 * used, and in which order, is defined by {@code protocol}.
 */
package tidepool.store;
