/**
 * The memory store of Motor (§4 of its paper): consecutive version tuples in the buckets, the newest value and the attributes
 * that it replaced beside them. Bytes and where they lie; what is done with them is the protocol's.
 */
package tidepool.store.motor;
