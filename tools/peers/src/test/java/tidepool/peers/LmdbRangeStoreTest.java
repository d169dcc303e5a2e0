package tidepool.peers;

import tidepool.bench.ycsb.KeyStore;
import tidepool.bench.ycsb.KeyStoreOptions;
import tidepool.bench.ycsb.RangeStoreContract;

class LmdbRangeStoreTest extends RangeStoreContract {
    @Override
    protected KeyStore open(KeyStoreOptions options) {
        return new LmdbKeyStore(options);
    }
}
