package tidepool.bench.smallbank;

import tidepool.base.Randomness;
import tidepool.bench.race.End;
import tidepool.bench.race.PipelinedHand;

/** {@link BankHand} for a teller who can have several transactions under way. */
final class PipelinedBankHand extends BankHand implements PipelinedHand {
    private final PipelinedTeller teller;
    private final Kind[] underWay;
    private int posted;
    private int taken;

    PipelinedBankHand(PipelinedTeller teller, Randomness random, Customers customers) {
        super(teller, random, customers);
        this.teller = teller;
        this.underWay = new Kind[teller.outstanding()];
    }

    @Override
    public int outstanding() {
        return underWay.length;
    }

    @Override
    public void post() {
        underWay[posted] = kind;
        posted = (posted + 1) % underWay.length;
        switch (kind) {
            case AMALGAMATE -> teller.postAmalgamate(a, b);
            case BALANCE -> teller.postBalance(a);
            case DEPOSIT_CHECKING -> teller.postDepositChecking(a, DEPOSIT_CENTS);
            case SEND_PAYMENT -> teller.postSendPayment(a, b, PAYMENT_CENTS);
            case TRANSACT_SAVINGS -> teller.postTransactSavings(a, SAVED_CENTS);
            case WRITE_CHECK -> teller.postWriteCheck(a, CHECK_CENTS);
        }
    }

    @Override
    public End take() {
        Kind done = underWay[taken];
        taken = (taken + 1) % underWay.length;
        return note(done, teller.take());
    }

    @Override
    public End run() {
        return PipelinedHand.super.run();
    }

    /** Such a store does one after the other: nothing is tried again. */
    @Override
    public int attempts() {
        return 1;
    }
}
