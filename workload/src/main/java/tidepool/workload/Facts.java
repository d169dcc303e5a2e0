package tidepool.workload;

import java.util.Map;
import java.util.TreeMap;

/** How often things happened, by name; several can be added up. One thread adds, others may look. */
public final class Facts {
    private static final char BETWEEN = ';';

    private final Map<String, Long> counts = new TreeMap<>(); // guarded by this

    /** It happened once more. */
    public void add(String name) {
        add(name, 1);
    }

    public synchronized void add(String name, long times) {
        counts.merge(name, times, Long::sum);
    }

    public void add(Facts other) {
        other.all().forEach(this::add);
    }

    /** How often; 0 if never. */
    public synchronized long count(String name) {
        return counts.getOrDefault(name, 0L);
    }

    /** All of them, by name. */
    public synchronized Map<String, Long> all() {
        return new TreeMap<>(counts);
    }

    /** One line, for another process. */
    public String text() {
        StringBuilder text = new StringBuilder();
        all().forEach((name, count) ->
                text.append(name).append('=').append(count).append(BETWEEN));
        return text.toString();
    }

    /** Reads what {@link #text} has written. */
    public static Facts parse(String text) {
        Facts facts = new Facts();
        for (String pair : text.split(String.valueOf(BETWEEN), -1)) {
            int equals = pair.lastIndexOf('=');
            if (equals > 0) facts.add(pair.substring(0, equals), Long.parseLong(pair.substring(equals + 1)));
        }
        return facts;
    }
}
