package tidepool.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives the table a unique index: no two rows have the same values in its attributes, unless one of them is null. On a
 * component the index has this component alone; on a record class it has the components in {@code on}:
 *
 * <pre>{@code
 * @Unique(name = "by_name", on = {"country", "name"})
 * record Town(@Key long id, int country, @Length(40) String name, @Unique int code) {}
 * }</pre>
 *
 * A table that is stored without the index gets it by {@link SchemaChange}.
 */
@Documented
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Unique.Uniques.class)
public @interface Unique {
    /** The name of the index, unique in the table; on a component, the name of the component if none is given. */
    String name() default "";

    /** The components in the order of the entries; on a component, this one if none are given. */
    String[] on() default {};

    /** Several of them on one class or component. */
    @Documented
    @Target({ElementType.TYPE, ElementType.RECORD_COMPONENT})
    @Retention(RetentionPolicy.RUNTIME)
    @interface Uniques {
        /** The indexes, in the order of declaration. */
        Unique[] value();
    }
}
