package tidepool.bench.smallbank;

import tidepool.workload.measured.smallbank.SmallBankType;

/**
 * The six transactions of {@link SmallBankType} on whole cents. Each runs until it has happened: attempts with
 * conflicts are retried inside, and their time counts. They are serializable, and every write of an account increments
 * its number of changes. Used by one thread.
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
