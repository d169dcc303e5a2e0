package tidepool.fabric;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The URL of a pool, {@code scheme:target?name=value&name=value}: {@code mem:}, {@code shm:PATH},
 * {@code tcp://HOST:PORT,…/POOL}, {@code sim:SEED}. Sizes may end in k, m or g, times in us, ms, s or min. A URL that
 * does not parse causes an {@link IllegalArgumentException} that quotes the wrong part.
 */
public record FabricUrl(String scheme, String target, Map<String, String> parameters, String text) {

    public static FabricUrl parse(String text) {
        int colon = text.indexOf(':');
        if (colon <= 0)
            throw new IllegalArgumentException("not a pool URL: '" + text
                    + "'; write mem:, shm:PATH, tcp://HOST:PORT,…, zk://HOST:PORT,… or sim:SEED");
        String scheme = text.substring(0, colon).toLowerCase(Locale.ROOT);
        int question = text.indexOf('?', colon);
        String target = question < 0 ? text.substring(colon + 1) : text.substring(colon + 1, question);
        Map<String, String> parameters = new LinkedHashMap<>();
        if (question >= 0 && question + 1 < text.length()) {
            for (String pair : text.substring(question + 1).split("&", -1)) {
                int equals = pair.indexOf('=');
                if (equals <= 0 || equals == pair.length() - 1)
                    throw new IllegalArgumentException("parameter without a value: '" + pair + "' in " + text);
                String name = pair.substring(0, equals);
                if (parameters.put(name, pair.substring(equals + 1)) != null)
                    throw new IllegalArgumentException("parameter given twice: '" + name + "' in " + text);
            }
        }
        return new FabricUrl(scheme, target, Map.copyOf(parameters), text);
    }

    /** Refuses parameters that this fabric does not know. */
    public void allow(Collection<String> names) {
        for (String name : parameters.keySet())
            if (!names.contains(name)) throw new UnknownParameterException(name, text, names);
    }

    /** Returns this URL without the parameters that other code handles. */
    public FabricUrl without(Collection<String> names) {
        StringBuilder rest = new StringBuilder(scheme).append(':').append(target);
        char separator = '?';
        int question = text.indexOf('?', text.indexOf(':'));
        for (String pair :
                question < 0 ? new String[0] : text.substring(question + 1).split("&", -1)) {
            if (pair.isEmpty() || names.contains(pair.substring(0, pair.indexOf('=')))) continue;
            rest.append(separator).append(pair);
            separator = '&';
        }
        return parse(rest.toString());
    }

    public boolean has(String name) {
        return parameters.containsKey(name);
    }

    public String string(String name, String otherwise) {
        return parameters.getOrDefault(name, otherwise);
    }

    /** Returns the value {@code on} or {@code off} as a boolean, or {@code otherwise} if the parameter is missing. */
    public boolean flag(String name, boolean otherwise) {
        String value = parameters.get(name);
        if (value == null) return otherwise;
        if (value.equals("on")) return true;
        if (value.equals("off")) return false;
        throw new IllegalArgumentException(name + " takes on or off, not '" + value + "': " + text);
    }

    /**
     * Returns the constant of an enum that is named in lower case, or {@code otherwise} if the parameter is missing.
     */
    public <E extends Enum<E>> E choice(String name, E otherwise) {
        String value = parameters.get(name);
        if (value == null) return otherwise;
        StringBuilder known = new StringBuilder();
        for (E choice : otherwise.getDeclaringClass().getEnumConstants()) {
            String text = choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
            if (text.equals(value)) return choice;
            known.append(known.isEmpty() ? "" : ", ").append(text);
        }
        throw new IllegalArgumentException(name + " takes one of " + known + ", not '" + value + "': " + text);
    }

    /** Returns a whole number between the bounds, or {@code otherwise} if the parameter is missing. */
    public int integer(String name, int otherwise, int min, int max) {
        String value = parameters.get(name);
        if (value == null) return otherwise;
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) return number;
        } catch (NumberFormatException e) {
            // falls through to the exception below, which covers both cases
        }
        throw new IllegalArgumentException(
                name + " takes a whole number from " + min + " to " + max + ", not '" + value + "': " + text);
    }

    /** Returns a size in bytes, which may end in k, m or g; or {@code otherwise} if the parameter is missing. */
    public long size(String name, long otherwise) {
        String value = parameters.get(name);
        return value == null ? otherwise : parseSize(name, value);
    }

    /** Parses {@code 64m}, {@code 4g}, {@code 4096}. */
    public static long parseSize(String name, String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        int shift = lower.endsWith("k") ? 10 : lower.endsWith("m") ? 20 : lower.endsWith("g") ? 30 : 0;
        String digits = shift == 0 ? lower : lower.substring(0, lower.length() - 1);
        try {
            long number = Long.parseLong(digits);
            if (number > 0 && number <= Long.MAX_VALUE >> shift) return number << shift;
        } catch (NumberFormatException e) {
            // falls through to the exception below, which covers both cases
        }
        throw new IllegalArgumentException(name + " takes a size such as 4096, 64m or 4g, not '" + value + "'");
    }

    /** Returns a time, which ends in its unit; or {@code otherwise} if the parameter is missing. */
    public Duration duration(String name, Duration otherwise) {
        String value = parameters.get(name);
        return value == null ? otherwise : parseDuration(name, value);
    }

    /** Parses {@code 500us}, {@code 20ms}, {@code 2s}, {@code 1min}; refuses a number without a unit. */
    public static Duration parseDuration(String name, String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        int digits = 0;
        while (digits < lower.length() && Character.isDigit(lower.charAt(digits))) digits++;
        long nanos =
                switch (lower.substring(digits)) {
                    case "us" -> 1_000L;
                    case "ms" -> 1_000_000L;
                    case "s" -> 1_000_000_000L;
                    case "min" -> 60_000_000_000L;
                    default -> 0;
                };
        if (nanos > 0 && digits > 0 && digits <= 9) {
            long number = Long.parseLong(lower.substring(0, digits));
            if (number > 0 && number <= Long.MAX_VALUE / nanos) return Duration.ofNanos(number * nanos);
        }
        throw new IllegalArgumentException(name + " takes a time such as 500us, 20ms, 2s or 1min, not '" + value + "'");
    }
}
