package tidepool.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Keeps the rows of a table in the order of their keys, so that transactions can scan ranges of them: an index named
 * {@value IndexSchema#PRIMARY}.
 *
 * <pre>{@code
 * @Ordered
 * record Reading(@Key int sensor, @Key Instant at, double value) {}
 * }</pre>
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Ordered {}
