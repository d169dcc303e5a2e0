package tidepool.mutants;

/** A class with used and unused members, for the check of unused declarations. */
final class UnusedSample {
    static final int READ = 3;
    static final String NEVER_READ = "constant".trim();
    int writtenOnly;
    int read;

    void neverCalled() {
        writtenOnly = read;
    }

    static int callsItself(int depth) {
        return depth == 0 ? called() : callsItself(depth - 1);
    }

    static int called() {
        return READ;
    }

    static Object looksForAName() {
        return new Object[] {"calledByName", (Runnable) UnusedSample::looksForAName};
    }
}
