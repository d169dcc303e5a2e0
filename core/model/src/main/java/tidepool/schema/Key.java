package tidepool.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the components that are the key of the table, in their order. Most tables have one, a {@code long} or an {@code
 * int}, which takes one word in the pool. Others are {@code short}, {@code byte}, {@code char}, {@code boolean}, and
 * {@code String} and {@code byte[]} with {@link Length}; all parts together have at most {@value KeySchema#MAX_BYTES}
 * bytes.
 *
 * <pre>{@code
 * record Line(@Key @Length(12) String order, @Key int number, long amount) {}
 *
 * Line line = lines.get(tx, "A-1009", 3);
 * }</pre>
 *
 * Keys of up to eight bytes in all are as fast as a {@code long}. Longer ones make each row longer by their bytes.
 */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Key {}
