package tidepool.bench.smallbank;

/**
 * The six transactions of SmallBank (Cahill, Röhm, Fekete, SIGMOD 2008) on whole cents. Each runs until it has happened:
 * attempts that meet others are made again inside, and their time counts. Serializable; every account that is written is
 * changed once more. For one thread.
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
    /** Moves all that a has into the checking account of b. */
    void amalgamate(int a, int b);

    /** What a has in both accounts. */
    long balance(int a);

    void depositChecking(int a, long cents);

    /** False if a has not enough; then nothing happens. */
    boolean sendPayment(int a, int b, long cents);

    void transactSavings(int a, long cents);

    /** Takes the cents from the checking account, and a penalty if both accounts do not cover them; returns what it took. */
    long writeCheck(int a, long cents);

    /** Attempts so far that had to be made again. */
    long aborts();

    /** Round trips so far, as the fabric counts them; 0 where there is none. */
    default long roundTrips() {
        return 0;
    }
}
