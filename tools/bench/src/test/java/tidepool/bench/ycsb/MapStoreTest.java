package tidepool.bench.ycsb;

class MapStoreTest extends KeyStoreContract {
    @Override
    protected KeyStore open(KeyStoreOptions options) {
        return new MapStore(options);
    }

    @Override
    protected String name() {
        return "chm";
    }
}
