package tidepool.bench.smallbank;

/**
 * A store with a savings and a checking account for each of its customers, who are numbered from 0. An account is a
 * value of 16 bytes: its cents, and the number of its changes.
 *
 * <p>An implementation has a public constructor that takes {@link BankOptions}. It begins with {@link #INITIAL_CENTS}
 * in every account; loading is not measured.
 */
public interface Bank extends AutoCloseable {
    /** Cents in every account at the beginning. */
    long INITIAL_CENTS = 1_000_000;

    /** Returns a teller for the calling thread. */
    Teller teller();

    /** Adds up all accounts. Called when no teller works. */
    Totals totals();

    /** Returns its settings in a few words, for the report. */
    String settings();

    @Override
    void close();
}
