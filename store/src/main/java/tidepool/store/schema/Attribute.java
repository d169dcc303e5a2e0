package tidepool.store.schema;

/**
 * One attribute of a schema, which makes it.
 *
 * @param number its place in the declaration, from 0; what versions of single attributes and bitmaps refer to
 * @param name unique within the schema
 * @param type what it holds
 * @param offset where it lies, in bytes from the beginning of the value
 */
public record Attribute(int number, String name, Type type, int offset) {

    /** How many bytes it takes. */
    public int bytes() {
        return type.bytes();
    }

    /** As in the text form of a schema: {@code owner:string[16]}. */
    public String text() {
        return name + ":" + type.text();
    }
}
