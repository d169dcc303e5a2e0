package tidepool.peers;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import tidepool.bench.ycsb.KeyStore;
import tidepool.bench.ycsb.KeyStoreContract;
import tidepool.bench.ycsb.KeyStoreOptions;

/** Skipped where there is no Redis. */
class RedisKeyStoreTest extends KeyStoreContract {
    @Override
    protected KeyStore open(KeyStoreOptions options) {
        assumeTrue(RedisServer.find().isPresent(), RedisServer::notFound);
        return new RedisKeyStore(options);
    }

    @Override
    protected String name() {
        return "redis";
    }
}
