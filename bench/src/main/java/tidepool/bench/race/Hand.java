package tidepool.bench.race;

/**
 * Works for a contender: draws transactions and runs each to its end. Belongs to the thread or strand that asked for it.
 * What is asked about a transaction is asked before the next one is drawn.
 */
public interface Hand extends AutoCloseable {
    /** Goes once over all that it will remember, so that the measured rounds need not. */
    default void warmUp() {}

    /** Draws the next transaction with all its parameters. Returns the number of its type. */
    int draw();

    /** Runs what was drawn, as often as it takes. Waits. */
    End run();

    /** How often the last transaction was tried. */
    int attempts();

    /** Round trips of the last transaction, as the fabric counts them; 0 where there is none. */
    default long roundTrips() {
        return 0;
    }

    /** Verbs of the last transaction, those in the background included. */
    default long verbs() {
        return 0;
    }

    /** Bytes that the verbs of the last transaction carried, both ways. */
    default long bytes() {
        return 0;
    }

    @Override
    default void close() {}
}
