package tidepool.workload.measured.kvs;

import java.util.List;
import java.util.Locale;
import tidepool.base.Checks;
import tidepool.schema.AttributeType;
import tidepool.schema.Schema;
import tidepool.store.TableLayout;
import tidepool.workload.measured.CheckFindings;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.RowSink;
import tidepool.workload.measured.RowSource;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.StampedBytes;
import tidepool.workload.measured.TableSpec;
import tidepool.workload.measured.WorkloadClient;
import tidepool.workload.measured.WorkloadOptions;
import tidepool.workload.measured.draw.Draw;

/**
 * The micro-benchmark: a transaction accesses a fixed number of objects of one table, each of which is a write with a
 * given probability. Keys are uniform or follow Zipf's law with rank = key, as in the artifacts. Within a transaction
 * they are distinct, which in the artifacts they are not. A write increments a count, so the sum of all counts is the
 * number of committed writes.
 */
public final class Kvs implements MeasuredWorkload {
    static final int READ_ONLY = 0;
    static final int WRITE_ONLY = 1;
    static final int MIXED = 2;

    static final int READS = 0;
    static final int WRITES = 1;
    static final int WRONG = 2;

    /** The maximum number of objects of a transaction. */
    public static final int MAX_OBJECTS = 10_000;

    private static final int MAX_VALUE = 4096;

    /** With a larger exponent nearly all draws give a few keys, and drawing distinct ones would take too long. */
    private static final double MAX_ZIPF = 2;

    final int objects;
    final int writes;
    final int value;
    final Draw keys;
    private final long records;
    private final double zipf;
    private final Schema schema;

    /**
     * @param records number of keys, from 0
     * @param objects of a transaction
     * @param writes share of writes among the objects, in percent
     * @param zipf exponent, 0 for uniform
     * @param value bytes
     */
    public Kvs(long records, int objects, int writes, double zipf, int value) {
        Checks.argument(value % 8 == 0 && StampedBytes.fits(value), "value of kvs takes a multiple of 8, not " + value);
        Checks.argument(
                records >= 2L * objects,
                "kvs needs twice as many records as a transaction has objects, not records=" + records
                        + " with objects=" + objects);
        this.records = records;
        this.objects = objects;
        this.writes = writes;
        this.zipf = zipf;
        this.value = value;
        keys = Draw.zipf(records, zipf);
        schema = Schema.builder("kvs")
                .attribute("value", AttributeType.bytes(value))
                .build()
                .withUpdates("1 value");
    }

    /** Makes the workload from its options. It has no specification, so both scales are those of the papers. */
    public static Kvs of(WorkloadOptions options, Scale scale) {
        return new Kvs(
                options.number("records", 1 << 20, 2, 1L << 32),
                (int) options.number("objects", 1, 1, MAX_OBJECTS),
                (int) options.number("writes", 25, 0, 100),
                options.real("zipf", 0.99, 0, MAX_ZIPF),
                (int) options.number("value", 40, 8, MAX_VALUE));
    }

    @Override
    public String name() {
        return "kvs";
    }

    @Override
    public String settings() {
        String distribution = zipf == 0 ? "uniform" : String.format(Locale.ROOT, "zipf %.2f", zipf);
        return records + " records of " + value + " bytes, " + objects + " per transaction, " + writes + " % writes, "
                + distribution;
    }

    @Override
    public List<String> types() {
        return List.of("read", "write", "mixed");
    }

    @Override
    public List<TableSpec> tables() {
        return List.of(new TableSpec(schema, records));
    }

    @Override
    public List<String> books() {
        return List.of("reads", "writes", "wrong values");
    }

    @Override
    public void load(RowSink rows, int share, int shares) {
        for (long key = share; key < records; key += shares) {
            long at = rows.row(0, key);
            StampedBytes.write(rows.memory(), at, value, key, 0);
        }
    }

    @Override
    public WorkloadClient client(List<TableLayout> tables, int number, int clients, long seed) {
        return new KvsClient(this, tables.getFirst(), number, seed);
    }

    @Override
    public List<String> check(RowSource rows, long[] book) {
        CheckFindings findings = new CheckFindings();
        long counted = 0;
        for (long key = 0; key < records; key++) {
            if (!rows.read(0, key)) {
                findings.add("key " + key + " is missing");
                continue;
            }
            counted += StampedBytes.count(rows.memory(), rows.value(), value);
            if (!StampedBytes.isWhole(rows.memory(), rows.value(), value, key))
                findings.add("the value of key " + key + " is damaged or somebody else's");
        }
        findings.same("counts of all keys, against committed writes", book[WRITES], counted);
        findings.same("wrong or missing values seen by committed transactions", 0, book[WRONG]);
        return findings.list();
    }
}
