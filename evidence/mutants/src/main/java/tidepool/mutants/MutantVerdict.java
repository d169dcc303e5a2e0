package tidepool.mutants;

import java.util.Map;
import java.util.Optional;

/**
 * The result of trying a mutant.
 *
 * @param by the test that failed, or the number of test classes that passed
 */
record MutantVerdict(Mutant mutant, Kind kind, String by, long millis) {
    enum Kind {
        /** A test failed, or the JVM ended in another way. */
        KILLED("killed"),
        /** The tests did not end, though without the change they take little more than half of the time. */
        TIMED_OUT("timed out"),
        /** All tests passed that enter the method and for which there was time. */
        SURVIVED("survived"),
        /** No test enters the method. */
        NOT_ENTERED("not entered"),
        /** No verdict yet: the JVM that tries many mutants did not kill it, so a JVM of its own tries it. */
        OPEN("open");

        final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    /** Returns the verdict as a line, which {@link #of} reads again. */
    String line() {
        return String.join("\t", kind.name(), "" + millis, by, key(mutant));
    }

    /** Returns the verdict of a line, or nothing if the line is cut off or about a mutant that is not in the plan. */
    static Optional<MutantVerdict> of(String line, Map<String, Mutant> plan) {
        String[] parts = line.split("\t", 4);
        if (parts.length < 4 || !plan.containsKey(parts[3])) return Optional.empty();
        return Optional.of(
                new MutantVerdict(plan.get(parts[3]), Kind.valueOf(parts[0]), parts[2], Long.parseLong(parts[1])));
    }

    /** Returns a text that no other mutant of the module has. */
    static String key(Mutant mutant) {
        return mutant.type() + "." + mutant.method() + "@" + mutant.instruction() + " " + mutant.mutation() + " "
                + mutant.what();
    }

    boolean survived() {
        return kind == Kind.SURVIVED || kind == Kind.NOT_ENTERED;
    }
}
