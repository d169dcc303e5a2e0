package tidepool.bench.smallbank;

class MapBankTest extends BankContract {
    @Override
    protected Bank open(BankOptions options) {
        return new MapBank(options);
    }

    @Override
    protected String name() {
        return "chm";
    }
}
