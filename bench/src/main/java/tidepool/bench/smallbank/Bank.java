package tidepool.bench.smallbank;

/**
 * A contender of the race: a store that keeps a savings and a checking account for each of its customers, who are
 * numbered from 0. An account is a value of 16 bytes: the cents in it, and how often it was changed.
 *
 * <p>An implementation has a public constructor that takes {@link BankOptions}. It begins with {@link #INITIAL_CENTS} in
 * every account; loading is not measured.
 */
public interface Bank extends AutoCloseable {
    /** Cents in every account at the beginning. */
    long INITIAL_CENTS = 1_000_000;

    /** What an overdrawn check costs on top. */
    long PENALTY_CENTS = 100;

    /** Works for one thread, which is the one that calls. */
    Teller teller();

    /** Adds up all accounts. Nobody works meanwhile. */
    Totals totals();

    /** In a few words, what was set; it stands in the report. */
    String settings();

    @Override
    void close();
}
