package tidepool.bench.smallbank;

import tidepool.base.Randomness;
import tidepool.bench.race.ClientDriver;
import tidepool.bench.race.TxnEnd;
import tidepool.workload.measured.smallbank.SmallBankDraw;
import tidepool.workload.measured.smallbank.SmallBankType;

/** A driver that draws SmallBank's requests and sends them to a teller. */
class BankDriver implements ClientDriver {
    private final Teller teller;
    private final Randomness random;
    private final Customers customers;
    private final SmallBankDraw draw;
    protected SmallBankType type;
    protected int a;
    protected int b;
    private long abortsBefore;
    private long tripsBefore;
    private long cents;
    private long changes;
    private long seen;
    private int firstShare;
    private int shares = 1;

    BankDriver(Teller teller, Randomness random, Customers customers) {
        this.teller = teller;
        this.random = random;
        this.customers = customers;
        this.draw = new SmallBankDraw(customers.count(), customers.hot(), customers.hotShare());
    }

    /** Sets the share of this driver among those that warm up the store together. */
    BankDriver share(int number, int of) {
        firstShare = number;
        shares = of;
        return this;
    }

    /** Reads the balances of its share of customers. After that the data that the store caches is in memory. */
    @Override
    public void warmUp() {
        for (int customer = firstShare; customer < customers.count(); customer += shares)
            seen += teller.balance(customer);
    }

    @Override
    public int draw() {
        draw.next(random);
        type = draw.type();
        a = (int) draw.first();
        b = (int) draw.second();
        abortsBefore = teller.aborts();
        tripsBefore = teller.roundTrips();
        return type.ordinal();
    }

    @Override
    public TxnEnd run() {
        return switch (type) {
            case AMALGAMATE -> {
                teller.amalgamate(a, b);
                yield note(type, 0);
            }
            case BALANCE -> note(type, teller.balance(a));
            case DEPOSIT_CHECKING -> {
                teller.depositChecking(a, SmallBankType.DEPOSIT_CENTS);
                yield note(type, 0);
            }
            case SEND_PAYMENT -> note(type, teller.sendPayment(a, b, SmallBankType.PAYMENT_CENTS) ? 1 : 0);
            case TRANSACT_SAVINGS -> {
                teller.transactSavings(a, SmallBankType.SAVED_CENTS);
                yield note(type, 0);
            }
            case WRITE_CHECK -> note(type, teller.writeCheck(a, SmallBankType.CHECK_CENTS));
        };
    }

    /**
     * Writes the result of a transaction into the books: the value that {@link Teller} returns for its kind, with 1 for
     * true.
     */
    protected final TxnEnd note(SmallBankType done, long result) {
        switch (done) {
            case AMALGAMATE -> {}
            case BALANCE -> seen += result;
            case DEPOSIT_CHECKING -> cents += SmallBankType.DEPOSIT_CENTS;
            case SEND_PAYMENT -> {
                if (result == 0) return TxnEnd.MISSED;
            }
            case TRANSACT_SAVINGS -> cents += SmallBankType.SAVED_CENTS;
            case WRITE_CHECK -> cents -= result;
        }
        changes += done.changes();
        return TxnEnd.COMMITTED;
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

    /** Returns the effect of its committed transactions on the bank as a whole. */
    Totals moved() {
        return new Totals(cents, changes);
    }

    /** Returns the sum of all balances read. A caller of this method keeps the compiler from removing the reads. */
    long seen() {
        return seen;
    }
}
