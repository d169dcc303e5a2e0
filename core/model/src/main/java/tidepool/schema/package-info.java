/**
 * The bytes of a table's value, and its key.
 *
 * <p>Two words are used throughout. An <b>attribute</b> is one named, typed part of a value. It has a number that never
 * changes, because a protocol may keep versions of single attributes. A <b>value</b> is all attributes of one record, a
 * whole number of words; the key, one word, lies next to it and not in it.
 *
 * <p>Begin with {@link tidepool.schema.Schema}, which places the attributes. Two classes access the bytes:
 * {@link tidepool.schema.RecordCodec} converts whole Java records, {@link tidepool.schema.Fields} accesses
 * single attributes without allocation.
 *
 * <p>All classes here work on memory that belongs to the caller alone, such as a landing buffer or a record that is
 * about to be written. Nothing here touches the fabric, and nothing is atomic.
 */
package tidepool.schema;
