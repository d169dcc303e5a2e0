package tidepool.fuzz;

/** A parser and what must hold for it. */
@FunctionalInterface
interface Target {
    /** Takes any bytes; throws if the parser did what it must not. */
    void feed(byte[] input);
}
