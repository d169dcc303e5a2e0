/**
 * How the value of a table looks as bytes, and what its key is.
 *
 * <p>Two words are used throughout. An <b>attribute</b> is one named, typed part of a value; it has a number that stays
 * its own, because a protocol may keep versions of single attributes. A <b>value</b> is all attributes of one record,
 * a whole number of words; the key, one word, lies beside it and not in it.
 *
 * <p>Begin with {@link tidepool.store.schema.Schema}, which places the attributes. Above it there are two ways to the
 * bytes: {@link tidepool.store.schema.RecordCodec} moves whole Java records, {@link tidepool.store.schema.Fields}
 * single attributes without allocating anything.
 *
 * <p>Everything here works on memory that belongs to the caller alone, such as a landing buffer or a record that is
 * about to be written. Nothing here touches the fabric, and nothing is atomic.
 */
package tidepool.store.schema;
