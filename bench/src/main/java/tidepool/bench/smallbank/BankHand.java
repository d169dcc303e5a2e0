package tidepool.bench.smallbank;

import tidepool.base.Randomness;
import tidepool.bench.race.End;
import tidepool.bench.race.Hand;

/** Draws SmallBank's requests and puts them to a teller. */
class BankHand implements Hand {
    static final long DEPOSIT_CENTS = 130;
    static final long SAVED_CENTS = 2020;
    static final long PAYMENT_CENTS = 500;
    static final long CHECK_CENTS = 500;

    private final Teller teller;
    private final Randomness random;
    private final Customers customers;
    protected Kind kind;
    protected int a;
    protected int b;
    private long abortsBefore;
    private long tripsBefore;
    private long cents;
    private long changes;
    private long seen;
    private int firstShare;
    private int shares = 1;

    BankHand(Teller teller, Randomness random, Customers customers) {
        this.teller = teller;
        this.random = random;
        this.customers = customers;
    }

    /** Is one of so many who warm the store up together. */
    BankHand share(int number, int of) {
        firstShare = number;
        shares = of;
        return this;
    }

    /** Every balance is asked for once, by some hand: what the store keeps in memory is there then. */
    @Override
    public void warmUp() {
        for (int customer = firstShare; customer < customers.count(); customer += shares)
            seen += teller.balance(customer);
    }

    @Override
    public int draw() {
        kind = Kind.draw(random);
        int range = random.nextInt(100) < customers.hotShare() ? customers.hot() : customers.count();
        a = random.nextInt(range);
        b = (a + 1 + random.nextInt(range - 1)) % range;
        abortsBefore = teller.aborts();
        tripsBefore = teller.roundTrips();
        return kind.ordinal();
    }

    @Override
    public End run() {
        return switch (kind) {
            case AMALGAMATE -> {
                teller.amalgamate(a, b);
                yield note(kind, 0);
            }
            case BALANCE -> note(kind, teller.balance(a));
            case DEPOSIT_CHECKING -> {
                teller.depositChecking(a, DEPOSIT_CENTS);
                yield note(kind, 0);
            }
            case SEND_PAYMENT -> note(kind, teller.sendPayment(a, b, PAYMENT_CENTS) ? 1 : 0);
            case TRANSACT_SAVINGS -> {
                teller.transactSavings(a, SAVED_CENTS);
                yield note(kind, 0);
            }
            case WRITE_CHECK -> note(kind, teller.writeCheck(a, CHECK_CENTS));
        };
    }

    /** Writes into the books what came of a transaction: what {@link Teller} returns for its kind, with 1 for true. */
    protected final End note(Kind done, long result) {
        switch (done) {
            case AMALGAMATE -> {}
            case BALANCE -> seen += result;
            case DEPOSIT_CHECKING -> cents += DEPOSIT_CENTS;
            case SEND_PAYMENT -> {
                if (result == 0) return End.MISSED;
            }
            case TRANSACT_SAVINGS -> cents += SAVED_CENTS;
            case WRITE_CHECK -> cents -= result;
        }
        changes += done.changes;
        return End.COMMITTED;
    }

    @Override
    public int attempts() {
        return (int) (1 + teller.aborts() - abortsBefore);
    }

    @Override
    public long roundTrips() {
        return teller.roundTrips() - tripsBefore;
    }

    long aborts() {
        return teller.aborts();
    }

    /** What its committed transactions did to the bank as a whole. */
    Totals moved() {
        return new Totals(cents, changes);
    }

    /** What the balances that were asked for add up to: whoever can ask for it keeps the compiler from leaving them out. */
    long seen() {
        return seen;
    }
}
