package tidepool.mutants;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/** The tests that passed without a change: the time of each class, and the methods of the module that it enters. */
final class TestTimes {
    /** Share of the time of a trial that is planned; the rest is reserved for a slower machine. */
    private static final double PLANNED = 0.6;

    /** One test class. */
    record Taken(String name, long millis, BitSet entered) {}

    private final List<Taken> taken = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();

    /** Reads the lines of {@link TestRun}; a class that began and did not end has failed. */
    TestTimes(List<String> lines) {
        String begun = null;
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("BEGIN")) {
                if (begun != null) failed.add(begun);
                begun = words[1];
                continue;
            }
            begun = null;
            if (words[3].equals("-")) taken.add(new Taken(words[1], Long.parseLong(words[2]), numbers(words[4])));
            else failed.add(words[1]);
        }
        if (begun != null) failed.add(begun);
        taken.sort(Comparator.comparingLong(Taken::millis).thenComparing(Taken::name));
    }

    private static BitSet numbers(String text) {
        BitSet numbers = new BitSet();
        if (!text.equals("-")) for (String number : text.split(",", -1)) numbers.set(Integer.parseInt(number));
        return numbers;
    }

    /** Returns the test classes that fail, or end their JVM, without any change: no mutant is tried with them. */
    List<String> failed() {
        return failed;
    }

    int count() {
        return taken.size();
    }

    /** Returns the test classes that enter a method, the fastest first, as many as there is time for. */
    List<String> entering(int method, int seconds) {
        List<String> chosen = new ArrayList<>();
        double millis = PLANNED * 1000 * seconds;
        for (Taken each : taken) {
            if (!each.entered.get(method)) continue;
            millis -= each.millis;
            if (millis < 0 && !chosen.isEmpty()) break;
            chosen.add(each.name);
        }
        return chosen;
    }
}
