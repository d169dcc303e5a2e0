package tidepool.peers;

import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankContract;
import tidepool.bench.smallbank.BankOptions;

class MvFileBankTest extends BankContract {
    @Override
    protected Bank open(BankOptions options) {
        return new MvBank(options);
    }

    @Override
    protected String name() {
        return "mvstore-file";
    }
}
