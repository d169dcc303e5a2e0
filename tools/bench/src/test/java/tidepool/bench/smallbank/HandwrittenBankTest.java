package tidepool.bench.smallbank;

class HandwrittenBankTest extends BankContract {
    @Override
    protected Bank open(BankOptions options) {
        return new HandwrittenBank(options);
    }

    @Override
    protected String name() {
        return "hand";
    }
}
