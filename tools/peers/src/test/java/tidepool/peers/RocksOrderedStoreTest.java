package tidepool.peers;

import tidepool.bench.ordered.OrderedStore;
import tidepool.bench.ordered.OrderedStoreContract;
import tidepool.bench.ordered.OrderedStoreOptions;

class RocksOrderedStoreTest extends OrderedStoreContract {
    @Override
    protected OrderedStore open(OrderedStoreOptions options) {
        return new RocksOrderedStore(options);
    }
}
