package tidepool.workload;

import java.util.Map;
import java.util.TreeMap;

/** Counts of events by name, which can be added up. One thread adds, others may read. */
public final class EventCounts {
    private static final char BETWEEN = ';';

    private final Map<String, Long> counts = new TreeMap<>(); // guarded by this

    /** Counts one more event. */
    public void add(String name) {
        add(name, 1);
    }

    public synchronized void add(String name, long times) {
        counts.merge(name, times, Long::sum);
    }

    public void add(EventCounts other) {
        other.all().forEach(this::add);
    }

    /** Returns the count; 0 if the event never happened. */
    public synchronized long count(String name) {
        return counts.getOrDefault(name, 0L);
    }

    /** Returns all counts by name. */
    public synchronized Map<String, Long> all() {
        return new TreeMap<>(counts);
    }

    /** Returns one line for another process. */
    public String text() {
        StringBuilder text = new StringBuilder();
        all().forEach((name, count) ->
                text.append(name).append('=').append(count).append(BETWEEN));
        return text.toString();
    }

    /** Parses the text of {@link #text}. */
    public static EventCounts parse(String text) {
        EventCounts eventCounts = new EventCounts();
        for (String pair : text.split(String.valueOf(BETWEEN), -1)) {
            int equals = pair.lastIndexOf('=');
            if (equals > 0) eventCounts.add(pair.substring(0, equals), Long.parseLong(pair.substring(equals + 1)));
        }
        return eventCounts;
    }
}
