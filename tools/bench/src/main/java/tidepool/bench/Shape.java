package tidepool.bench;

/** The operations of {@code bench fabric}: the verbs of one round. */
enum Shape {
    READ("read64"),
    CAS_READ("cas+read64"),
    /** Reads at addresses that do not depend on the answers: the processor may run ahead over several rounds. */
    READ_OVERLAPPED("read64-overlapped");

    static final long RECORD_BYTES = 64;
    static final long FOUND = RECORD_BYTES;
    static final long LANDING_BYTES = 2 * RECORD_BYTES;

    private final String text;

    Shape(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    /** Returns the next address of a walk over records by xorshift, a few instructions. */
    static long next(long x) {
        x ^= x << 13;
        x ^= x >>> 7;
        return x ^ x << 17;
    }
}
