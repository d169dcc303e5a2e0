package tidepool.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The number of bytes of a {@code String} or {@code byte[]} component. A string may be shorter, counted in UTF-8; a
 * {@code byte[]} has exactly this length.
 */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Length {
    /** Bytes, at least one. */
    int value();
}
