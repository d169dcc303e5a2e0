package tidepool.workload.measured;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tidepool.base.NameSuggestion;

/**
 * The options after the question mark of {@code kvs?objects=4&zipf=0.99}. A workload queries each option that it has.
 * Options that were not queried are refused at the end, with the names of those that exist.
 */
public final class WorkloadOptions {
    private final String workload;
    private final Map<String, String> given = new LinkedHashMap<>();
    private final List<String> known = new ArrayList<>();

    private WorkloadOptions(String workload) {
        this.workload = workload;
    }

    /** Parses {@code name=value&name=value}; an empty text has no options. */
    static WorkloadOptions parse(String workload, String query) {
        WorkloadOptions options = new WorkloadOptions(workload);
        if (query.isEmpty()) return options;
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals <= 0 || equals == pair.length() - 1)
                throw new IllegalArgumentException(
                        "an option is name=value, not '" + pair + "': " + workload + "?" + query);
            options.give(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return options;
    }

    /** Adds an option that was given elsewhere. */
    void give(String name, String value) {
        if (given.putIfAbsent(name, value) != null)
            throw new IllegalArgumentException("option '" + name + "' of " + workload + " is given twice");
    }

    /** Returns a whole number, which may end in k or m for thousands or millions. */
    public long number(String name, long otherwise, long min, long max) {
        String value = ask(name);
        if (value == null) return otherwise;
        int unit = value.endsWith("k") ? 1_000 : value.endsWith("m") ? 1_000_000 : 1;
        String digits = unit == 1 ? value : value.substring(0, value.length() - 1);
        try {
            long number = Math.multiplyExact(Long.parseLong(digits), unit);
            if (number >= min && number <= max) return number;
        } catch (NumberFormatException | ArithmeticException e) {
            // the exception below explains it
        }
        throw wrong(name, "a whole number from " + min + " to " + max, value);
    }

    /** Returns a number with a decimal point. */
    public double real(String name, double otherwise, double min, double max) {
        String value = ask(name);
        if (value == null) return otherwise;
        try {
            double number = Double.parseDouble(value);
            if (number >= min && number <= max) return number;
        } catch (NumberFormatException e) {
            // the exception below explains it
        }
        throw wrong(name, "a number from " + min + " to " + max, value);
    }

    /** Returns one of several words. */
    public String choice(String name, String otherwise, List<String> choices) {
        String value = ask(name);
        if (value == null) return otherwise;
        if (choices.contains(value)) return value;
        throw wrong(name, "one of " + String.join(", ", choices), value);
    }

    private String ask(String name) {
        known.add(name);
        return given.get(name);
    }

    private IllegalArgumentException wrong(String name, String takes, String value) {
        return new IllegalArgumentException(
                "option '" + name + "' of " + workload + " takes " + takes + ", not '" + value + "'");
    }

    /** Refuses options that the workload has not queried. */
    void refuseOthers() {
        for (String name : given.keySet()) {
            if (known.contains(name)) continue;
            String nearest = NameSuggestion.to(name, known);
            throw new IllegalArgumentException("unknown option '" + name + "' of " + workload
                    + (nearest == null ? "; it has " + String.join(", ", known) : "; did you mean '" + nearest + "'?"));
        }
    }
}
