package tidepool.workload.measured;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.store.TableLayout;

/** The program that docs/benchmarks/workloads.md shows. */
class WorkloadsPageTest {
    @Test
    void aWorkloadIsLoadedRunAndChecked() {
        long seed = 1;
        try (Tidepool pool = Tidepool.open("mem:?memory=4m");
                Worker worker = pool.worker()) {
            Map<String, String> small = Map.of("records", "64"); // more options
            MeasuredWorkload workload = Workloads.named("kvs?objects=4&writes=50&zipf=0.99", Scale.PAPER, small);
            List<TableLayout> tables = PoolTables.open(pool, workload);
            PoolLoader.load(pool, tables, workload, 0, 1); // share 0 of 1

            WorkloadClient client = workload.client(tables, 0, 1, seed); // client 0 of 1
            Worker.Work work = client::run; // made once
            client.draw();
            if (worker.transact(work)) client.committed();
            else client.gaveUp();

            List<String> wrong = PoolRows.check(pool, tables, workload, client.book());
            assertEquals(List.of(), wrong);
        }
    }
}
