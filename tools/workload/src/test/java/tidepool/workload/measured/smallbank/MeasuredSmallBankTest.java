package tidepool.workload.measured.smallbank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.Worker;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.MeasuredWorkloadContract;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.WorkloadClient;
import tidepool.workload.measured.Workloads;

/** SmallBank keeps its promises as the artifacts ran it. */
class MeasuredSmallBankTest extends MeasuredWorkloadContract {
    @Override
    protected MeasuredWorkload small() {
        return Workloads.named("smallbank?accounts=500&hot=100", Scale.PAPER);
    }

    /** Insufficient funds are no abort: the client says so, and the books do not change. */
    @Test
    void paymentThatIsNotCoveredIsExpected() {
        for (int i = 0; i < 500; i++) empty(i);
        long[] before = {-500 * 100_000_000_000L, -500 * 100_000_000_000L, 0};
        WorkloadClient client = workload.client(tables, 0, 1, 7);
        Worker.Work work = client::run;
        try (Worker worker = pool.worker()) {
            while (client.draw() != SmallBankType.SEND_PAYMENT.ordinal()) {}
            assertFalse(worker.transact(work));
            client.gaveUp();
        }
        assertTrue(client.missed());
        assertEquals(List.of(), check(before));
    }

    private void empty(long account) {
        pool.transact(tx -> {
            for (int table = SmallBank.SAVINGS; table <= SmallBank.CHECKING; table++) {
                int access = tx.raw().update(tables.get(table), account);
                if (tx.raw().execute())
                    SmallBank.CENTS.set(tx.raw().memory(), tx.raw().value(access), 0);
            }
        });
    }
}
