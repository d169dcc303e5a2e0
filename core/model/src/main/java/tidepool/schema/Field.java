package tidepool.schema;

import tidepool.base.Checks;
import tidepool.schema.AttributeType.Kind;

/**
 * A handle to one attribute, obtained once and used often. The {@link Fields classes} that implement it, one for each
 * type, have the methods that read and write.
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
                Fields.StringField {

    /** Returns the attribute that it reads and writes. */
    Attribute attribute();

    /** Returns the handle that fits the attribute's type. */
    static Field of(Attribute attribute) {
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
        };
    }

    /** Refuses an attribute of another kind than the handle is for. */
    static void require(Attribute attribute, Kind kind) {
        Checks.argument(attribute != null, "a field needs an attribute");
        if (attribute.type().kind() != kind)
            throw new IllegalArgumentException(
                    "attribute '" + attribute.name() + "' is " + attribute.type() + ", not " + kind.text());
    }
}
