package tidepool.mutants;

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
