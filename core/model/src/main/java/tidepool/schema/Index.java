package tidepool.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives the table an index, with entries in the order of some attributes. On a component the index has this component
 * alone; on a record class it has the components in {@code on}, parts of the key among them:
 *
 * <pre>{@code
 * @Index(name = "by_customer", on = {"warehouse", "customer"})
 * record Order(@Key long id, int warehouse, int customer, @Index Instant entered) {}
 * }</pre>
 *
 * A table that is stored without the index gets it by {@link SchemaChange}.
 */
@Documented
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Index.Indexes.class)
public @interface Index {
    /** The name of the index, unique in the table; on a component, the name of the component if none is given. */
    String name() default "";

    /** The components in the order of the entries; on a component, this one if none are given. */
    String[] on() default {};

    /** Several of them on one class or component. */
    @Documented
    @Target({ElementType.TYPE, ElementType.RECORD_COMPONENT})
    @Retention(RetentionPolicy.RUNTIME)
    @interface Indexes {
        /** The indexes, in the order of declaration. */
        Index[] value();
    }
}
