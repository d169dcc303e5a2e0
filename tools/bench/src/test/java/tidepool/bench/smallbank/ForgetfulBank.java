package tidepool.bench.smallbank;

import tidepool.workload.measured.smallbank.SmallBankType;

/** A planted bug: reports every thousandth transaction of one kind as done and does not do it. */
final class ForgetfulBank implements Bank {
    private static final int EVERY = 1_000;

    private final MapBank bank;
    private final SmallBankType lost;

    ForgetfulBank(BankOptions options, SmallBankType lost) {
        this.bank = new MapBank(options);
        this.lost = lost;
    }

    @Override
    public Teller teller() {
        return new ForgetfulTeller(bank.teller());
    }

    @Override
    public Totals totals() {
        return bank.totals();
    }

    @Override
    public String settings() {
        return "forgets";
    }

    @Override
    public void close() {
        bank.close();
    }

    private final class ForgetfulTeller implements Teller {
        private final Teller teller;
        private int count;

        ForgetfulTeller(Teller teller) {
            this.teller = teller;
        }

        private boolean forgets(SmallBankType type) {
            return type == lost && ++count % EVERY == 0;
        }

        @Override
        public void amalgamate(int a, int b) {
            teller.amalgamate(a, b);
        }

        @Override
        public long balance(int a) {
            return teller.balance(a);
        }

        @Override
        public void depositChecking(int a, long cents) {
            if (!forgets(SmallBankType.DEPOSIT_CHECKING)) teller.depositChecking(a, cents);
        }

        @Override
        public boolean sendPayment(int a, int b, long cents) {
            return forgets(SmallBankType.SEND_PAYMENT) || teller.sendPayment(a, b, cents);
        }

        @Override
        public void transactSavings(int a, long cents) {
            teller.transactSavings(a, cents);
        }

        @Override
        public long writeCheck(int a, long cents) {
            return teller.writeCheck(a, cents);
        }

        @Override
        public long aborts() {
            return teller.aborts();
        }
    }
}
