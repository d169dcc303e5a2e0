package tidepool.schema;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.schema.AttributeType.Kind;

/**
 * A handle to one attribute, obtained once and used often. The {@link Fields classes} that implement it, one for each
 * type, have the methods that read and write.
 *
 * <pre>{@code
 * for (Attribute each : schema.attributes()) {
 *     Field field = schema.field(each.name());
 *     System.out.println(field.attribute().name());
 * }
 * }</pre>
 */
public sealed interface Field
        permits Fields.ByteField,
                Fields.ShortField,
                Fields.IntField,
                Fields.LongField,
                Fields.FloatField,
                Fields.DoubleField,
                Fields.BooleanField,
                Fields.CharField,
                Fields.BytesField,
                Fields.StringField,
                ValueFields.NullableField,
                ValueFields.InstantField,
                ValueFields.DurationField,
                ValueFields.DateField,
                ValueFields.UuidField,
                ValueFields.DecimalField,
                ValueFields.EnumField,
                ValueFields.VarStringField,
                ValueFields.VarBytesField,
                ValueFields.PresentField,
                ValueFields.ListField,
                ContentField {

    /** Returns the attribute that it reads and writes. */
    Attribute attribute();

    /** Returns the handle that fits the attribute's type. */
    static Field of(Attribute attribute) {
        if (attribute.type().isNullable() && attribute.type().kind().isPrimitive())
            return new ValueFields.NullableField(attribute);
        return switch (attribute.type().kind()) {
            case BYTE -> new Fields.ByteField(attribute);
            case SHORT -> new Fields.ShortField(attribute);
            case INT -> new Fields.IntField(attribute);
            case LONG -> new Fields.LongField(attribute);
            case FLOAT -> new Fields.FloatField(attribute);
            case DOUBLE -> new Fields.DoubleField(attribute);
            case BOOLEAN -> new Fields.BooleanField(attribute);
            case CHAR -> new Fields.CharField(attribute);
            case BYTES -> new Fields.BytesField(attribute);
            case STRING -> new Fields.StringField(attribute);
            case INSTANT -> new ValueFields.InstantField(attribute);
            case DURATION -> new ValueFields.DurationField(attribute);
            case DATE -> new ValueFields.DateField(attribute);
            case UUID -> new ValueFields.UuidField(attribute);
            case DECIMAL -> new ValueFields.DecimalField(attribute);
            case ENUM -> new ValueFields.EnumField(attribute);
            case VARSTRING -> new ValueFields.VarStringField(attribute);
            case VARBYTES, CODEC -> new ValueFields.VarBytesField(attribute);
            case PRESENT -> new ValueFields.PresentField(attribute);
            case LIST -> new ValueFields.ListField(attribute);
            case LONGSTRING, LONGBYTES, LONGLIST, LONGCODEC -> new ContentField(attribute);
            case RECORD ->
                throw new IllegalArgumentException(
                        "attribute '" + attribute.name() + "' is a record in a list; its own attributes have handles");
        };
    }

    /** Returns whether the attribute is null in the value that begins at {@code offset}. */
    default boolean isNull(MemorySegment memory, long offset) {
        Attribute attribute = attribute();
        return attribute.type().isNullable() && Unaligned.getByte(memory, offset + attribute.offset()) == 0;
    }

    /** Writes null; refuses an attribute that is never null. */
    default void setNull(MemorySegment memory, long offset) {
        Attribute attribute = attribute();
        if (!attribute.type().isNullable())
            throw new IllegalArgumentException("attribute '" + attribute.name() + "' is " + attribute.type()
                    + ", which is never null; one that may be is " + attribute.type() + "?");
        long at = offset + attribute.offset();
        Utf8.fill(memory, at, at + attribute.bytes());
    }

    /** Refuses an attribute of another kind than the handle is for. */
    static void require(Attribute attribute, Kind kind) {
        Checks.argument(attribute != null, "a field needs an attribute");
        boolean isNullable = attribute.type().isNullable() && kind.isPrimitive();
        if (attribute.type().kind() != kind || isNullable)
            throw new IllegalArgumentException(
                    "attribute '" + attribute.name() + "' is " + attribute.type() + ", not " + kind.text());
    }
}
