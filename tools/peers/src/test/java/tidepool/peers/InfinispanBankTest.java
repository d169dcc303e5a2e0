package tidepool.peers;

import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankContract;
import tidepool.bench.smallbank.BankOptions;

class InfinispanBankTest extends BankContract {
    @Override
    protected Bank open(BankOptions options) {
        return new InfinispanBank(options);
    }

    @Override
    protected String name() {
        return "infinispan";
    }
}
