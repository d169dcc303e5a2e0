package tidepool.peers;

import tidepool.bench.ycsb.KeyStore;
import tidepool.bench.ycsb.KeyStoreContract;
import tidepool.bench.ycsb.KeyStoreOptions;

class LmdbKeyStoreTest extends KeyStoreContract {
    @Override
    protected KeyStore open(KeyStoreOptions options) {
        return new LmdbKeyStore(options);
    }

    @Override
    protected String name() {
        return "lmdb";
    }
}
