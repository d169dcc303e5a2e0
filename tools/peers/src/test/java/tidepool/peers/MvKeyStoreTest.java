package tidepool.peers;

import tidepool.bench.ycsb.KeyStore;
import tidepool.bench.ycsb.KeyStoreContract;
import tidepool.bench.ycsb.KeyStoreOptions;

class MvKeyStoreTest extends KeyStoreContract {
    @Override
    protected KeyStore open(KeyStoreOptions options) {
        return new MvKeyStore(options);
    }

    @Override
    protected String name() {
        return "mvstore";
    }
}
