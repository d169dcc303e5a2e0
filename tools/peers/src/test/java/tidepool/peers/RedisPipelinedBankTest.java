package tidepool.peers;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import tidepool.bench.smallbank.Bank;
import tidepool.bench.smallbank.BankOptions;
import tidepool.bench.smallbank.PipelinedBankContract;

/** Skipped where there is no Redis. */
class RedisPipelinedBankTest extends PipelinedBankContract {
    @Override
    protected Bank open(BankOptions options) {
        assumeTrue(RedisServer.find().isPresent(), RedisServer::notFound);
        return new RedisBank(options);
    }

    @Override
    protected String name() {
        return "redis-16";
    }
}
