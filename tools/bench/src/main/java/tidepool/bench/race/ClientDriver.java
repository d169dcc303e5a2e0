package tidepool.bench.race;

/**
 * The driver of a contender's load: draws transactions and runs each to its end. Belongs to the thread or strand that
 * asked for it. The results of a transaction are read before the next one is drawn.
 */
public interface ClientDriver extends AutoCloseable {
    /** Accesses once all rows that it will remember, so that the measured rounds need not. */
    default void warmUp() {}

    /** Draws the next transaction with all its parameters. Returns the number of its type. */
    int draw();

    /** Runs the drawn transaction until it ends, with as many attempts as necessary. Waits for each. */
    TxnEnd run();

    /** Returns the attempts of the last transaction. */
    int attempts();

    /** Returns the round trips of the last transaction, as the fabric counts them; 0 where there is no fabric. */
    default long roundTrips() {
        return 0;
    }

    /** Returns the verbs of the last transaction, those in the background included. */
    default long verbs() {
        return 0;
    }

    /** Returns the bytes that the verbs of the last transaction carried, in both directions. */
    default long bytes() {
        return 0;
    }

    @Override
    default void close() {}
}
