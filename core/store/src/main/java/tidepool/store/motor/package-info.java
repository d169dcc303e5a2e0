/**
 * The memory store of Motor (§4 of its paper): consecutive version tuples in the buckets; the newest value, and the
 * attributes that it replaced, in blocks outside them. This package defines the bytes and their places; the protocol
 * uses them.
 */
package tidepool.store.motor;
