package tidepool.bench.smallbank;

class HandBankTest extends BankContract {
    @Override
    protected Bank open(BankOptions options) {
        return new HandBank(options);
    }

    @Override
    protected String name() {
        return "hand";
    }
}
