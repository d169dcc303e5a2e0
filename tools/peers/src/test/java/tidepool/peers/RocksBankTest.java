package tidepool.peers;

import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankContract;
import tidepool.bench.smallbank.BankOptions;

class RocksBankTest extends BankContract {
    @Override
    protected Bank open(BankOptions options) {
        return new RocksBank(options);
    }

    @Override
    protected String name() {
        return "rocksdb";
    }
}
