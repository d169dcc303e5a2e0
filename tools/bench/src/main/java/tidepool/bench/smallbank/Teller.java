package tidepool.bench.smallbank;

/**
 * The six transactions of SmallBank (Cahill, Röhm, Fekete, SIGMOD 2008) on whole cents. Each runs until it has
 * happened: attempts with conflicts are retried inside, and their time counts. They are serializable, and every write
 * of an account increments its number of changes. Used by one thread.
 *
 * <pre>
 *   transaction        share   writes                            reads
 *   amalgamate          15 %   both accounts of a, checking of b
 *   balance             15 %                                     both accounts of a
 *   deposit-checking    15 %   checking of a
 *   send-payment        25 %   checking of a, checking of b
 *   transact-savings    15 %   savings of a
 *   write-check         15 %   checking of a                     savings of a
 * </pre>
 */
public interface Teller {
    /** Moves all money of a into the checking account of b. */
    void amalgamate(int a, int b);

    /** Returns the sum of both accounts of a. */
    long balance(int a);

    void depositChecking(int a, long cents);

    /** Returns false if a has too little money; then nothing happens. */
    boolean sendPayment(int a, int b, long cents);

    void transactSavings(int a, long cents);

    /**
     * Takes the cents from the checking account, and a penalty if both accounts do not cover them. Returns the amount
     * taken.
     */
    long writeCheck(int a, long cents);

    /** Returns the number of attempts so far that had to be retried. */
    long aborts();

    /** Returns the round trips so far, as the fabric counts them; 0 where there is no fabric. */
    default long roundTrips() {
        return 0;
    }
}
