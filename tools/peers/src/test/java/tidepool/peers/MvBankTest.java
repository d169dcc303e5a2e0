package tidepool.peers;

import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankContract;
import tidepool.bench.smallbank.BankOptions;

class MvBankTest extends BankContract {
    @Override
    protected Bank open(BankOptions options) {
        return new MvBank(options);
    }

    @Override
    protected String name() {
        return "mvstore";
    }
}
