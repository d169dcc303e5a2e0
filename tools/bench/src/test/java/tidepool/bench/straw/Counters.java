package tidepool.bench.straw;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Randomness;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Schema;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.RowSink;
import tidepool.workload.measured.RowSource;
import tidepool.workload.measured.TableSpec;
import tidepool.workload.measured.WorkloadClient;

/**
 * A workload for tests: three counters that are never drawn in order each get one more, in as many steps; one in ten is
 * given up in the middle; and a row of a second table comes or goes.
 */
final class Counters implements MeasuredWorkload {
    private static final int STEPS = 3;
    private static final int COUNTER = 0;
    private static final int GUEST = 1;

    private final int rows;
    private final LongField count;
    private final List<TableSpec> tables;

    Counters(int rows) {
        Schema counter = Schema.parse("counter(count:long)");
        this.rows = rows;
        this.count = counter.longField("count");
        this.tables = List.of(new TableSpec(counter, rows), new TableSpec(Schema.parse("guest(since:long)"), rows));
    }

    @Override
    public String name() {
        return "counters";
    }

    @Override
    public String settings() {
        return rows + " counters";
    }

    @Override
    public List<String> types() {
        return List.of("count");
    }

    @Override
    public List<TableSpec> tables() {
        return tables;
    }

    @Override
    public List<String> books() {
        return List.of("counted", "guests");
    }

    @Override
    public void load(RowSink sink, int share, int shares) {
        for (long key = share; key < rows; key += shares) sink.row(COUNTER, key);
    }

    @Override
    public WorkloadClient client(List<TableLayout> layouts, int number, int clients, long seed) {
        return new CountingClient(layouts, new Randomness(seed).fork("client " + number));
    }

    @Override
    public List<String> check(RowSource source, long[] book) {
        long sum = 0;
        long guests = 0;
        for (long key = 0; key < rows; key++) {
            if (source.read(COUNTER, key)) sum += count.get(source.memory(), source.value());
            if (source.read(GUEST, key)) guests++;
        }
        List<String> wrong = new ArrayList<>();
        if (sum != book[0]) wrong.add("the counters hold " + sum + ", and " + book[0] + " was counted");
        if (guests != book[1]) wrong.add("there are " + guests + " guests, and " + book[1] + " were counted");
        return wrong;
    }

    private final class CountingClient implements WorkloadClient {
        private final List<TableLayout> layouts;
        private final Randomness random;
        private final long[] keys = new long[STEPS];
        private final long[] book = new long[2];
        private boolean givesUp;
        private int guests;

        CountingClient(List<TableLayout> layouts, Randomness random) {
            this.layouts = layouts;
            this.random = random;
        }

        @Override
        public int draw() {
            for (int i = 0; i < STEPS; i++) keys[i] = random.nextInt(rows);
            givesUp = random.chance(1, 10);
            return 0;
        }

        @Override
        public boolean run(Txn txn) {
            guests = 0;
            for (long key : keys) {
                int access = txn.update(layouts.get(COUNTER), key);
                if (!txn.execute()) return false;
                long at = txn.value(access);
                count.set(txn.memory(), at, count.get(txn.memory(), at) + 1);
            }
            int guest = txn.read(layouts.get(GUEST), keys[0]);
            if (!txn.execute()) return false;
            guests = txn.found(guest) ? -1 : 1;
            int change = guests < 0 ? txn.delete(layouts.get(GUEST), keys[0]) : txn.insert(layouts.get(GUEST), keys[0]);
            return txn.execute() && txn.writes(change) && !givesUp;
        }

        @Override
        public void committed() {
            book[0] += STEPS;
            book[1] += guests;
        }

        @Override
        public void gaveUp() {}

        @Override
        public boolean missed() {
            return false;
        }

        @Override
        public long[] book() {
            return book;
        }
    }
}
