package tidepool.workload.measured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A typing error costs a sentence, not a wrong measurement. */
class WorkloadsTest {
    @Test
    void optionsAreRead() {
        MeasuredWorkload kvs = Workloads.named("kvs?objects=4&writes=50&zipf=0&records=10k", Scale.PAPER);
        assertEquals("10000 records of 40 bytes, 4 per transaction, 50 % writes, uniform", kvs.settings());
    }

    @Test
    void sizesCanStandNextToTheName() {
        MeasuredWorkload kvs = Workloads.named("kvs", Scale.PAPER, Map.of("records", "1m"));
        assertEquals("1000000 records of 40 bytes, 1 per transaction, 25 % writes, zipf 0.99", kvs.settings());
    }

    @Test
    void mistakesAreSaidInASentence() {
        refused("kvz", "unknown workload 'kvz'; did you mean 'kvs'?");
        refused("kvs?object=4", "unknown option 'object' of kvs; did you mean 'objects'?");
        refused("kvs?accounts=4", "unknown option 'accounts' of kvs; it has records, objects, writes, zipf, value");
        refused("kvs?objects", "an option is name=value, not 'objects': kvs?objects");
        refused("kvs?objects=1&objects=2", "option 'objects' of kvs is given twice");
        refused("kvs?writes=101", "option 'writes' of kvs takes a whole number from 0 to 100, not '101'");
        refused("kvs?zipf=much", "option 'zipf' of kvs takes a number from 0.0 to 2.0, not 'much'");
        refused("kvs?value=20", "value of kvs takes a multiple of 8, not 20");
        refused(
                "kvs?records=10&objects=8",
                "kvs needs twice as many records as a transaction has objects, not" + " records=10 with objects=8");
    }

    @Test
    void impossibleCombinationsAreSaidInASentence() {
        refused("smallbank?accounts=5&hot=10", "hot of smallbank takes 2 to as many as there are accounts (5), not 10");
        refused("ycsb-a?inserts=5", "unknown option 'inserts' of ycsb-a; it has records, zipf, value");
        refused("tatp?accounts=7", "unknown option 'accounts' of tatp; it has subscribers");
        refused("tpcc?warehouses=0", "option 'warehouses' of tpcc takes a whole number from 1 to 10000, not '0'");
        refused("tpcc?house=1", "unknown option 'house' of tpcc; it has warehouses, customers, items, orders");
    }

    /** Every name can be made at both scales, and describes itself. */
    @Test
    void allNamesAreKnown() {
        assertEquals(
                List.of("kvs", "smallbank", "tatp", "ycsb-a", "ycsb-b", "ycsb-c", "ycsb-d", "ycsb-e", "ycsb-f", "tpcc"),
                Workloads.names());
        for (Scale scale : Scale.values()) {
            for (String name : Workloads.names()) {
                MeasuredWorkload workload = Workloads.named(name, scale);
                assertEquals(name, workload.name());
                assertFalse(workload.settings().isBlank());
            }
        }
    }

    @Test
    void scalesHaveNames() {
        assertEquals(Scale.SPEC, Scale.named("spec"));
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Scale.named("papr"));
        assertEquals("scale takes paper or spec, not 'papr'", e.getMessage());
    }

    private static void refused(String text, String sentence) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Workloads.named(text, Scale.PAPER));
        assertEquals(sentence, e.getMessage());
    }
}
