package tidepool.check.litmus;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * What is done to the parts of one round from its curtain on. Verbs are counted for each part from 0.
 *
 * @param turns who runs until when, while all others stand still; when they are over, all run freely
 * @param deaths who dies where
 * @param flights whose verbs are long on their way, from which one on; only in a simulation
 * @param jitter seeds short waits before verbs; 0 for none
 */
public record Plan(List<Turn> turns, List<Death> deaths, List<Flight> flights, long jitter) {
    /** As a place in a part's verbs: behind the last. */
    public static final long END = 9_999;

    /** The part runs and stops before this verb. */
    public record Turn(int part, long until) {}

    /** The part dies behind this verb, when everything that does not fly has landed; at {@link #END}, when it has ended. */
    public record Death(int part, long verb) {}

    /** So many verbs of the part, from this one on, are long on their way. */
    public record Flight(int part, long verb, long count) {
        boolean holds(long v) {
            return v >= verb && v < verb + count;
        }
    }

    /** Nobody is stopped; where the parts meet is left to chance. */
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

    /** Where the part dies; -1 if it does not. */
    long deathOf(int part) {
        for (Death death : deaths) if (death.part == part) return death.verb;
        return -1;
    }

    boolean flies(int part, long verb) {
        for (Flight flight : flights) if (flight.part == part && flight.holds(verb)) return true;
        return false;
    }

    // ---- as one word

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
