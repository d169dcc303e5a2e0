package tidepool.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The attributes that transactions change in rows of a record class, and how often. A hint for protocols that keep
 * versions; see {@link UpdateProfile}.
 *
 * <pre>{@code
 * @Updated("9 balance, 1 balance+owner")
 * record Account(@Key long id, long balance, @Length(16) String owner) {}
 * }</pre>
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Updated {
    /** Kinds of updates with their weights, or {@code never}. */
    String value();
}
