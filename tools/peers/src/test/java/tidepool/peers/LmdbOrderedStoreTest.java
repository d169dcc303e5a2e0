package tidepool.peers;

import tidepool.bench.ordered.OrderedStore;
import tidepool.bench.ordered.OrderedStoreContract;
import tidepool.bench.ordered.OrderedStoreOptions;

class LmdbOrderedStoreTest extends OrderedStoreContract {
    @Override
    protected OrderedStore open(OrderedStoreOptions options) {
        return new LmdbOrderedStore(options);
    }
}
