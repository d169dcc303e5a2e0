package tidepool.mutants;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** The tests that passed without a change: the time of each class, and the methods of the module that it enters. */
final class TestTimes {
    /** Share of the time of a trial that is planned; the rest is reserved for a slower machine. */
    private static final double PLANNED = 0.6;

    /** A trial that makes a test slower than this is ended. */
    private static final int SLOWER = 5;

    /** For the start of a JVM, which the first of many test classes has had before. */
    private static final long START_MILLIS = 10_000;

    /** What the line says about a class that takes longer than a trial. */
    static final String SLOW = "slow";

    /** One test class. */
    record Taken(String name, long millis, BitSet entered) {}

    private final List<Taken> taken = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private final List<String> slow = new ArrayList<>();

    /**
     * Reads the lines of {@link TestRun} about some test classes. A class that was begun and has no other line was cut
     * off together with the run.
     */
    TestTimes(List<String> lines, Set<String> of) {
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            if (begun(line) != null || !of.contains(words[1])) continue;
            if (words[3].equals("-")) taken.add(new Taken(words[1], Long.parseLong(words[2]), numbers(words[4])));
            else if (words[3].equals(SLOW)) slow.add(words[1]);
            else failed.add(words[1]);
        }
        taken.sort(Comparator.comparingLong(Taken::millis).thenComparing(Taken::name));
    }

    /** Returns the line about a class that ended its JVM, or was ended. */
    static String line(String name, String why) {
        return "END " + name + " 0 " + why + " -";
    }

    /** Returns the test class of a line that says that it has begun; otherwise null. */
    static String begun(String line) {
        return line.startsWith("BEGIN ") ? line.split(" ", -1)[1] : null;
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

    /** Returns the test classes that take longer than a trial. */
    List<String> slow() {
        return slow;
    }

    int count() {
        return taken.size();
    }

    /**
     * Returns the processor time after which a test class of a trial hangs for certain: a multiple of what it takes
     * without the change.
     */
    long limitMillis(String test) {
        for (Taken each : taken) if (each.name.equals(test)) return START_MILLIS + SLOWER * each.millis;
        throw new IllegalArgumentException("never run without a change: " + test);
    }

    /** Returns the test classes that enter one of some methods, the fastest first, as many as there is time for. */
    List<String> entering(BitSet methods, int seconds) {
        List<String> chosen = new ArrayList<>();
        double millis = PLANNED * 1000 * seconds;
        for (Taken each : taken) {
            if (!each.entered.intersects(methods)) continue;
            millis -= each.millis;
            if (millis < 0 && !chosen.isEmpty()) break;
            chosen.add(each.name);
        }
        return chosen;
    }
}
