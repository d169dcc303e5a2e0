package tidepool.bench.smallbank;

import tidepool.base.Randomness;

/** The six transactions: their share in percent, and the number of accounts that they change. */
enum SmallBankType {
    AMALGAMATE(15, 3),
    BALANCE(15, 0),
    DEPOSIT_CHECKING(15, 1),
    SEND_PAYMENT(25, 2),
    TRANSACT_SAVINGS(15, 1),
    WRITE_CHECK(15, 1);

    private static final SmallBankType[] ALL = values();

    final int changes;
    private final int percent;

    SmallBankType(int percent, int changes) {
        this.percent = percent;
        this.changes = changes;
    }

    static SmallBankType of(int ordinal) {
        return ALL[ordinal];
    }

    static SmallBankType draw(Randomness random) {
        int drawn = random.nextInt(100);
        for (SmallBankType kind : ALL) {
            if (drawn < kind.percent) return kind;
            drawn -= kind.percent;
        }
        throw new IllegalStateException("the shares add up to less than 100");
    }
}
