package tidepool.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the codec of a component:
 *
 * <pre>{@code
 * record Item(@Key long id, @Encoded(MoneyCodec.class) Money price) {}
 * }</pre>
 */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Encoded {
    /** A class with a constructor without parameters. */
    Class<? extends Codec<?>> value();
}
