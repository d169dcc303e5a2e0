package tidepool.workload.measured.smallbank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.MeasuredWorkloadContract;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/** SmallBank keeps its promises with customers that are looked up by name. */
class SpecifiedSmallBankTest extends MeasuredWorkloadContract {
    @Override
    protected MeasuredWorkload small() {
        return Workloads.named("smallbank?accounts=500", Scale.SPEC);
    }

    @Test
    void customerThatCannotBeFoundIsNoticed() {
        pool.transact(tx -> tx.raw().delete(tables.get(SmallBank.NAMES), SmallBank.name(17)));

        assertEquals(List.of("customer 17 cannot be looked up by name"), check(new long[3]));
    }
}
