package tidepool.peers;

import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankContract;
import tidepool.bench.smallbank.BankOptions;

class LmdbBankTest extends BankContract {
    @Override
    protected Bank open(BankOptions options) {
        return new LmdbBank(options);
    }

    @Override
    protected String name() {
        return "lmdb";
    }
}
