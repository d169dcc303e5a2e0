package tidepool.workload.measured.smallbank;

import tidepool.base.Checks;
import tidepool.base.Randomness;

/**
 * The draw of a SmallBank transaction and of two different customers. A share of the transactions chooses both from a
 * small hot set. All programs that play SmallBank draw by it, so the same seed gives the same requests.
 */
public final class SmallBankDraw {
    private final long accounts;
    private final long hot;
    private final int hotShare;
    private SmallBankType type;
    private long first;
    private long second;

    /**
     * @param accounts number of customers, from 0
     * @param hot number of hot customers, from 0
     * @param hotShare percentage of transactions that choose from the hot customers
     */
    public SmallBankDraw(long accounts, long hot, int hotShare) {
        Checks.argument(hot >= 2 && hot <= accounts, "two different customers are drawn");
        this.accounts = accounts;
        this.hot = hot;
        this.hotShare = hotShare;
    }

    /** Draws the next transaction. */
    public void next(Randomness random) {
        type = SmallBankType.draw(random);
        long range = random.nextInt(100) < hotShare ? hot : accounts;
        first = random.nextLong(range);
        second = (first + 1 + random.nextLong(range - 1)) % range;
    }

    public SmallBankType type() {
        return type;
    }

    /** Returns the customer that the papers call a. */
    public long first() {
        return first;
    }

    /** Returns the customer that the papers call b. */
    public long second() {
        return second;
    }
}
