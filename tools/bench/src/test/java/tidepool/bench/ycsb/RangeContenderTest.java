package tidepool.bench.ycsb;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.bench.race.Contender;
import tidepool.bench.race.Trial;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;
import tidepool.workload.measured.ycsb.Ycsb;

/** The check of YCSB E on key stores can fail. */
class RangeContenderTest extends RangeStoreContract {
    @Override
    protected KeyStore open(KeyStoreOptions options) {
        return new SkipStore(options, 0);
    }

    @Test
    void lostInsertsAndScansWithGapsAreNoticed() {
        Ycsb ycsb = (Ycsb) Workloads.named("ycsb-e?inserts=20k&records=" + RECORDS, Scale.SPEC);
        KeyStoreOptions options =
                new KeyStoreOptions("any", folder, RECORDS, Ycsb.SPREAD_SHIFT, ycsb.inserts(), ycsb.valueBytes(), 2);
        try (Contender contender = new RangeContender(new SkipStore(options, 50), ycsb)) {
            Trial.run(contender, 2, 3, 200);
            List<String> wrong = contender.check();
            assertTrue(
                    wrong.stream().anyMatch(each -> each.matches("the record of key \\d+ is missing")),
                    wrong::toString);
            assertTrue(wrong.stream().anyMatch(each -> each.contains("wrong records and ranges")), wrong::toString);
        }
    }
}
