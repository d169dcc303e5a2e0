package tidepool.peers;

import tidepool.bench.ycsb.KeyStore;
import tidepool.bench.ycsb.KeyStoreContract;
import tidepool.bench.ycsb.KeyStoreOptions;

class RocksKeyStoreTest extends KeyStoreContract {
    @Override
    protected KeyStore open(KeyStoreOptions options) {
        return new RocksKeyStore(options);
    }

    @Override
    protected String name() {
        return "rocksdb";
    }
}
