package tidepool.testkit;

import java.util.stream.LongStream;

/**
 * The amount of work of a test run: {@code -Dtidepool.effort=quick|full|night}, {@code full} by default. A factor
 * multiplies the counts of a level: {@code full*4}.
 *
 * <p>A test takes its counts from {@link #of} and its seeds from {@link #seeds}. The tags {@code full} and
 * {@code night} name the lowest level at which a test runs; {@link EffortCondition} skips it below.
 */
public enum Effort {
    QUICK,
    FULL,
    NIGHT;

    private static final Level CURRENT = level(System.getProperty("tidepool.effort"));
    private static final long FIRST_SEED = Long.getLong("tidepool.seed", 1);

    /** A level and the factor of its counts. */
    record Level(Effort effort, int times) {
        int of(int quick, int full, int night) {
            int count =
                    switch (effort) {
                        case QUICK -> quick;
                        case FULL -> full;
                        case NIGHT -> night;
                    };
            return (int) Math.min(Integer.MAX_VALUE, (long) count * times);
        }
    }

    /** Returns the level of this run. */
    public static Effort current() {
        return CURRENT.effort;
    }

    /** Returns the count of this run: seeds, rounds, updates or milliseconds. */
    public static int of(int quick, int full, int night) {
        return CURRENT.of(quick, full, night);
    }

    /** Returns consecutive seeds from {@code -Dtidepool.seed}, 1 by default. */
    public static LongStream seeds(int quick, int full, int night) {
        return LongStream.range(FIRST_SEED, FIRST_SEED + of(quick, full, night));
    }

    /** Returns the first seed of this run, for tests which count seeds themselves. */
    public static long firstSeed() {
        return FIRST_SEED;
    }

    /** Parses {@code LEVEL} or {@code LEVEL*FACTOR}; null and the empty text are {@code full}. */
    static Level level(String text) {
        if (text == null || text.isEmpty()) return new Level(FULL, 1);
        int star = text.indexOf('*');
        String name = star < 0 ? text : text.substring(0, star);
        for (Effort effort : values())
            if (effort.tag().equals(name)) return new Level(effort, star < 0 ? 1 : factor(text, star));
        throw refusal(text);
    }

    private static int factor(String text, int star) {
        try {
            int times = Integer.parseInt(text.substring(star + 1));
            if (times > 0) return times;
        } catch (NumberFormatException e) {
            // Refused below, together with zero and negative factors.
        }
        throw refusal(text);
    }

    private static IllegalArgumentException refusal(String text) {
        return new IllegalArgumentException(
                "tidepool.effort takes quick, full or night, or one of them with a factor such as full*4, not '" + text
                        + "'");
    }

    /** Returns the word of this level in properties and tags. */
    String tag() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
