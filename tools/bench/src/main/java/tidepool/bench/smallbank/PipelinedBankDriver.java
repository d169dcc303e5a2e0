package tidepool.bench.smallbank;

import tidepool.base.Randomness;
import tidepool.bench.race.PipelinedDriver;
import tidepool.bench.race.TxnEnd;
import tidepool.workload.measured.smallbank.SmallBankType;

/** {@link BankDriver} for a teller that can have several transactions under way. */
final class PipelinedBankDriver extends BankDriver implements PipelinedDriver {
    private final PipelinedTeller teller;
    private final SmallBankType[] underWay;
    private int posted;
    private int taken;

    PipelinedBankDriver(PipelinedTeller teller, Randomness random, Customers customers) {
        super(teller, random, customers);
        this.teller = teller;
        this.underWay = new SmallBankType[teller.outstanding()];
    }

    @Override
    public int outstanding() {
        return underWay.length;
    }

    @Override
    public void post() {
        underWay[posted] = type;
        posted = (posted + 1) % underWay.length;
        switch (type) {
            case AMALGAMATE -> teller.postAmalgamate(a, b);
            case BALANCE -> teller.postBalance(a);
            case DEPOSIT_CHECKING -> teller.postDepositChecking(a, SmallBankType.DEPOSIT_CENTS);
            case SEND_PAYMENT -> teller.postSendPayment(a, b, SmallBankType.PAYMENT_CENTS);
            case TRANSACT_SAVINGS -> teller.postTransactSavings(a, SmallBankType.SAVED_CENTS);
            case WRITE_CHECK -> teller.postWriteCheck(a, SmallBankType.CHECK_CENTS);
        }
    }

    @Override
    public TxnEnd take() {
        SmallBankType done = underWay[taken];
        taken = (taken + 1) % underWay.length;
        return note(done, teller.take());
    }

    @Override
    public TxnEnd run() {
        return PipelinedDriver.super.run();
    }

    /** Returns 1: such a store runs one transaction after the other and retries none. */
    @Override
    public int attempts() {
        return 1;
    }
}
