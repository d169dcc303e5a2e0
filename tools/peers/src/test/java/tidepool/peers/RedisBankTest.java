package tidepool.peers;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankContract;
import tidepool.bench.smallbank.BankOptions;

/** Skipped where there is no Redis. */
class RedisBankTest extends BankContract {
    @Override
    protected Bank open(BankOptions options) {
        assumeTrue(RedisServer.find().isPresent(), RedisServer::notFound);
        return new RedisBank(options);
    }

    @Override
    protected String name() {
        return "redis";
    }
}
