package tidepool.bench.race;

import java.util.List;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.RowSink;
import tidepool.workload.measured.RowSource;
import tidepool.workload.measured.TableSpec;
import tidepool.workload.measured.WorkloadClient;

/** A planted bug: every tenth transaction is rolled back and reported as committed. */
final class ForgetfulWorkload implements MeasuredWorkload {
    private final MeasuredWorkload whole;

    ForgetfulWorkload(MeasuredWorkload whole) {
        this.whole = whole;
    }

    @Override
    public String name() {
        return whole.name();
    }

    @Override
    public String settings() {
        return whole.settings();
    }

    @Override
    public List<String> types() {
        return whole.types();
    }

    @Override
    public List<TableSpec> tables() {
        return whole.tables();
    }

    @Override
    public List<String> books() {
        return whole.books();
    }

    @Override
    public void load(RowSink rows, int share, int shares) {
        whole.load(rows, share, shares);
    }

    @Override
    public WorkloadClient client(List<TableLayout> tables, int number, int clients, long seed) {
        WorkloadClient client = whole.client(tables, number, clients, seed);
        return new WorkloadClient() {
            private int count;

            @Override
            public int draw() {
                count++;
                return client.draw();
            }

            @Override
            public boolean run(Txn txn) {
                return client.run(txn) && count % 10 != 0;
            }

            @Override
            public void committed() {
                client.committed();
            }

            @Override
            public void gaveUp() {
                client.committed();
            }

            @Override
            public boolean missed() {
                return client.missed();
            }

            @Override
            public long[] book() {
                return client.book();
            }
        };
    }

    @Override
    public List<String> check(RowSource rows, long[] book) {
        return whole.check(rows, book);
    }
}
