package tidepool.mutants;

/**
 * What became of a mutant.
 *
 * @param by the test that failed, or how many test classes passed
 */
record Verdict(Mutant mutant, Kind kind, String by, long millis) {
    enum Kind {
        /** A test failed, or the JVM broke. */
        KILLED("killed"),
        /** The tests did not end, though without the change they take little more than half of the time. */
        TIMED_OUT("timed out"),
        /** All tests passed that enter the method and for which there was time. */
        SURVIVED("survived"),
        /** No test enters the method. */
        NOT_ENTERED("not entered");

        final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    boolean survived() {
        return kind == Kind.SURVIVED || kind == Kind.NOT_ENTERED;
    }
}
