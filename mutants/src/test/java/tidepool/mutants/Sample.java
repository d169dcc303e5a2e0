package tidepool.mutants;

/** Something to change. {@link SampleTest} is what its mutants are tried with. */
final class Sample {
    private int told;

    private Sample() {}

    /** Equals are equal, so it does not matter whether they are less or less or equal: that mutant is no fault. */
    static int larger(int a, int b) {
        if (a < b) return b;
        return a;
    }

    /** Without its step it goes on for ever. */
    static long steps(long most) {
        long steps = 0;
        while (steps != most) steps += 1;
        return steps;
    }

    static int tellTwice() {
        Sample sample = new Sample();
        sample.tell(2);
        return sample.told;
    }

    private void tell(int times) {
        told += times;
    }

    static boolean isEven(int number) {
        return (number & 1) == 0;
    }

    static String name() {
        return "sample";
    }

    /** No test enters it. */
    static int alone(int number) {
        return number + 7;
    }
}
