package tidepool.fuzz;

/** A parser and the conditions that must hold for it. */
@FunctionalInterface
interface FuzzTarget {
    /** Takes any bytes; throws if the parser violated a condition. */
    void feed(byte[] input);
}
