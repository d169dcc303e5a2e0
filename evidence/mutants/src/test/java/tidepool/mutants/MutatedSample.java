package tidepool.mutants;

/** A class to change. Its mutants are tried with {@link MutatedSampleTest}. */
final class MutatedSample {
    private static int open;

    private int told;

    private MutatedSample() {}

    /** Equal arguments give equal results, so the mutant "less or equal" is no fault. */
    static int larger(int a, int b) {
        if (a < b) return b;
        return a;
    }

    /** Without its increment the loop does not end. */
    static long steps(long max) {
        long steps = 0;
        while (steps != max) steps += 1;
        return steps;
    }

    static int tellTwice() {
        MutatedSample sample = new MutatedSample();
        sample.tell(2);
        return sample.told;
    }

    private void tell(int times) {
        told += times;
    }

    /** Returns 0. A mutant that does not close leaves more, for ever: no test of this JVM passes again. */
    static int openAndClose() {
        open++;
        close();
        return open;
    }

    private static void close() {
        open--;
    }

    static boolean isEven(int number) {
        return (number & 1) == 0;
    }

    static String name() {
        return "sample";
    }

    /** No test enters this method. */
    static int alone(int number) {
        return number + 7;
    }
}
