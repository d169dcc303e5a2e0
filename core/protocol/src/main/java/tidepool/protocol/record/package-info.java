/**
 * The shared part of the protocols of the FORD family: records with a lock, a version and a checksummed body ({@link
 * tidepool.store.ObjectLayout}), the hash index over them, intents, logs of images, and a transaction that looks up,
 * locks, reads and validates. A protocol of this family adds its commit and its recovery; {@code
 * docs/internals/protocols} says how one is added.
 */
package tidepool.protocol.record;
