package tidepool.evidence.litmus;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * The control of the parts of one round from its barrier on. The verbs of each part are counted from 0.
 *
 * @param turns which part runs until which verb, while all others stand still; after the last turn all run freely
 * @param deaths which part dies after which verb
 * @param flights which verbs of which part are delayed; only in a simulation
 * @param jitter seed of short waits before verbs; 0 for none
 */
public record Plan(List<Turn> turns, List<Death> deaths, List<Flight> flights, long jitter) {
    /** A position after the last verb of a part. */
    public static final long END = 9_999;

    /** The part runs and stops before this verb. */
    public record Turn(int part, long until) {}

    /**
     * The part dies after this verb, when all verbs that are not delayed have landed; at {@link #END}, when it has
     * ended.
     */
    public record Death(int part, long verb) {}

    /** {@code count} verbs of the part, from this one on, are delayed. */
    public record Flight(int part, long verb, long count) {
        boolean holds(long v) {
            return v >= verb && v < verb + count;
        }
    }

    /** Returns a plan that stops no part; where the parts meet is left to chance. */
    public static Plan free(long jitter) {
        return new Plan(List.of(), List.of(), List.of(), jitter);
    }

    public static Plan turns(Turn... turns) {
        return new Plan(List.of(turns), List.of(), List.of(), 0);
    }

    public static Turn turn(int part, long until) {
        return new Turn(part, until);
    }

    public static Turn toTheEnd(int part) {
        return new Turn(part, END);
    }

    public Plan dies(int part, long verb) {
        List<Death> more = new ArrayList<>(deaths);
        more.add(new Death(part, verb));
        return new Plan(turns, List.copyOf(more), flights, jitter);
    }

    public Plan flies(int part, long verb, long count) {
        List<Flight> more = new ArrayList<>(flights);
        more.add(new Flight(part, verb, count));
        return new Plan(turns, deaths, List.copyOf(more), jitter);
    }

    /** Returns the verb after which the part dies; -1 if it does not. */
    long deathOf(int part) {
        for (Death death : deaths) if (death.part == part) return death.verb;
        return -1;
    }

    boolean flies(int part, long verb) {
        for (Flight flight : flights) if (flight.part == part && flight.holds(verb)) return true;
        return false;
    }

    // ---- text form, one word

    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(";");
        for (Turn turn : turns) text.add("turn:" + turn.part + ":" + turn.until);
        for (Death death : deaths) text.add("death:" + death.part + ":" + death.verb);
        for (Flight flight : flights) text.add("flight:" + flight.part + ":" + flight.verb + ":" + flight.count);
        text.add("jitter:" + jitter);
        return text.toString();
    }

    static Plan parse(String text) {
        List<Turn> turns = new ArrayList<>();
        List<Death> deaths = new ArrayList<>();
        List<Flight> flights = new ArrayList<>();
        long jitter = 0;
        for (String part : text.split(";", -1)) {
            String[] words = part.split(":", -1);
            long[] n = new long[words.length];
            for (int i = 1; i < n.length; i++) n[i] = Long.parseLong(words[i]);
            switch (words[0]) {
                case "turn" -> turns.add(new Turn((int) n[1], n[2]));
                case "death" -> deaths.add(new Death((int) n[1], n[2]));
                case "flight" -> flights.add(new Flight((int) n[1], n[2], n[3]));
                case "jitter" -> jitter = n[1];
                default -> throw new IllegalArgumentException("not a plan: " + text);
            }
        }
        return new Plan(List.copyOf(turns), List.copyOf(deaths), List.copyOf(flights), jitter);
    }
}
