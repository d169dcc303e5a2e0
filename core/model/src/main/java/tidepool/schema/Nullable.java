package tidepool.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a component that may be null: {@code @Nullable Instant closed}. It takes one byte more. Boxed types such as
 * {@code Long} may be null without it, and an {@link java.util.Optional} says the same without null.
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
public @interface Nullable {}
