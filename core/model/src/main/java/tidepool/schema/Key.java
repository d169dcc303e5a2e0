package tidepool.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the component that is the key of the table: exactly one, a {@code long} or an {@code int}. In the pool it takes
 * one word either way, an {@code int} with its sign. {@link EightByteKeys} packs several small parts into one key.
 */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Key {}
