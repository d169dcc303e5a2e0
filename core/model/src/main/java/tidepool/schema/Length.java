package tidepool.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The length of a component:
 *
 * <ul>
 *   <li>of a {@code String}: the maximum of bytes, counted in UTF-8; up to 256 the row has room for them
 *   <li>of a {@code byte[]}: its exact number of bytes, or the maximum if it is {@link #varying}
 *   <li>of a {@code BigDecimal}: the maximum of digits, 38 if not given
 *   <li>of a list or another array: the maximum of elements; {@link #each} is the length of every element
 * </ul>
 *
 * <p>A string, bytes or a list without it, or longer than a row has room for, takes the bytes that it needs, up to 1
 * MiB.
 *
 * <pre>{@code
 * record Invoice(
 *         @Key long id,
 *         @Length(40) String subject,
 *         @Length(32) byte[] digest,
 *         @Length(18) BigDecimal total,
 *         @Length(value = 5, each = 12) List<String> tags,
 *         @Nullable Instant paid) {}
 * }</pre>
 */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Length {
    /** Bytes, digits or elements, at least one. */
    int value();

    /** Whether a count of bytes is kept. Then a {@code byte[]} may be shorter, and a string may contain U+0000. */
    boolean varying() default false;

    /** The length of each element of a list, if the elements need one. */
    int each() default 0;
}
