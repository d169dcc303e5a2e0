package tidepool.bench.ordered;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import tidepool.bench.race.Contender;
import tidepool.bench.race.Trial;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/** The check of TPC-C on ordered stores can fail. */
class OrderedContenderTest extends OrderedStoreContract {
    @Override
    protected OrderedStore open(OrderedStoreOptions options) {
        return new MapOrderedStore(0);
    }

    @Test
    void aStoreThatForgetsIsNoticed() {
        MeasuredWorkload workload = Workloads.named("tpcc?warehouses=1&customers=30&items=200&orders=5k", Scale.SPEC);
        try (Contender contender = new OrderedContender(new MapOrderedStore(5000), workload)) {
            Trial.run(contender, 1, 3, 200);
            assertFalse(contender.check().isEmpty());
        }
    }
}
