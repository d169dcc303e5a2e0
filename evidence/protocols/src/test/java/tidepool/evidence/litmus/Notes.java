package tidepool.evidence.litmus;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/** Facts by name: what one part saw in one round, and when by the pool's clock. Sent between processes as one word. */
public final class Notes {
    private final Map<String, Long> facts = new LinkedHashMap<>();

    void put(String name, long value) {
        facts.put(name, value);
    }

    void add(String name, long delta) {
        facts.merge(name, delta, Long::sum);
    }

    public boolean has(String name) {
        return facts.containsKey(name);
    }

    public long get(String name) {
        Long value = facts.get(name);
        if (value == null) throw new IllegalStateException("nothing was noted as " + name + ": " + this);
        return value;
    }

    public long get(String name, long otherwise) {
        return facts.getOrDefault(name, otherwise);
    }

    static Notes parse(String text) {
        Notes notes = new Notes();
        if (text.equals("-")) return notes;
        for (String fact : text.split(",", -1)) {
            int at = fact.indexOf('=');
            notes.put(fact.substring(0, at), Long.parseLong(fact.substring(at + 1)));
        }
        return notes;
    }

    @Override
    public String toString() {
        if (facts.isEmpty()) return "-";
        StringJoiner text = new StringJoiner(",");
        facts.forEach((name, value) -> text.add(name + "=" + value));
        return text.toString();
    }
}
