package tidepool.schema;

/**
 * One attribute of a schema. Schemas make their attributes:
 *
 * <pre>{@code
 * Attribute owner = schema.attribute("owner");
 * System.out.println(owner.text() + " has " + owner.bytes() + " bytes"); // owner:string[16] has 16 bytes
 * }</pre>
 *
 * @param number its place in the declaration, from 0; versions of single attributes and bitmaps refer to it
 * @param name unique within the schema
 * @param type the type of its content
 * @param offset where it lies, in bytes from the beginning of the value
 */
public record Attribute(int number, String name, AttributeType type, int offset) {

    /** Returns the number of its bytes. */
    public int bytes() {
        return type.bytes();
    }

    /** Returns its text in the text form of a schema: {@code owner:string[16]}. */
    public String text() {
        return name + ":" + type.text();
    }
}
