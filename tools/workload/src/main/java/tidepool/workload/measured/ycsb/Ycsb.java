package tidepool.workload.measured.ycsb;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tidepool.base.Checks;
import tidepool.schema.AttributeType;
import tidepool.schema.EightByteKeys;
import tidepool.schema.IndexSchema;
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
import tidepool.workload.measured.draw.Mix;
import tidepool.workload.measured.draw.Scrambled;

/**
 * YCSB (Cooper et al., SoCC 2010) with one operation in each transaction: a read of a whole record, an update of one
 * field, an insert, a read followed by an update, or a scan. A field counts its updates, so their sum can be checked.
 *
 * <pre>
 *   A   50 % read, 50 % update              Zipf, scrambled
 *   B   95 % read,  5 % update              Zipf, scrambled
 *   C  100 % read                           Zipf, scrambled
 *   D   95 % read,  5 % insert              latest: Zipf, counted back from the newest
 *   E   95 % scan of 1 to 100 records, 5 % insert between them        Zipf, scrambled
 *   F   50 % read, 50 % read-modify-write   Zipf, scrambled
 * </pre>
 */
public final class Ycsb implements MeasuredWorkload {
    static final int READ = 0;
    static final int UPDATE = 1;
    public static final int INSERT = 2;
    static final int READ_MODIFY_WRITE = 3;
    public static final int SCAN = 4;

    /** The maximum number of records of a scan. */
    public static final int MAX_SCAN = 100;

    // Entries of the book.
    static final int READS = 0;
    static final int UPDATES = 1;
    static final int INSERTS = 2;
    static final int SCANNED = 3;
    static final int WRONG = 4;

    /** The number of ranks from which YCSB draws for any number of records. The ranks are spread over the records. */
    private static final long RANKS = 10_000_000_000L;

    private static final long MAX_RECORDS = 1L << 32;
    private static final int CLIENT_SHIFT = 40;

    /** In E the keys of loaded records leave room, so that inserts lie between them. */
    public static final int SPREAD_SHIFT = 33;

    private static final int SPREAD_CLIENT_SHIFT = 20;

    /** The maximum number of records in E: the key of the last one is positive. */
    private static final long MAX_SPREAD = 1L << Long.SIZE - 1 - SPREAD_SHIFT;

    final char letter;
    final long records;
    final long inserts;
    final int fields;
    final int length;
    final Mix mix;
    final Draw keys;
    private final double zipf;
    private final Schema schema;

    private Ycsb(char letter, Mix mix, WorkloadOptions options, Scale scale) {
        boolean paper = scale == Scale.PAPER;
        this.letter = letter;
        this.mix = mix;
        records =
                options.number("records", paper ? 10_000_000 : 1_000_000, 1, letter == 'e' ? MAX_SPREAD : MAX_RECORDS);
        inserts = letter == 'd' || letter == 'e' ? options.number("inserts", records, 1, MAX_RECORDS) : 0;
        zipf = options.real("zipf", 0.99, 0, 2);
        boolean small = options.choice("value", paper ? "8" : "1000", List.of("8", "1000"))
                .equals("8");
        fields = small ? 1 : 10;
        length = small ? 8 : 100;
        keys = keys(paper ? records : RANKS);
        schema = schema();
    }

    /** Makes one of the workloads by its letter. */
    public static Ycsb of(char letter, WorkloadOptions options, Scale scale) {
        int rare = letter == 'b' && scale == Scale.PAPER ? 10 : 5;
        return switch (letter) {
            case 'a' -> new Ycsb(letter, new Mix(50, 50), options, scale);
            case 'b' -> new Ycsb(letter, new Mix(100 - rare, rare), options, scale);
            case 'c' -> new Ycsb(letter, new Mix(100), options, scale);
            case 'd' -> new Ycsb(letter, new Mix(100 - rare, 0, rare), options, scale);
            case 'e' -> new Ycsb(letter, new Mix(0, 0, rare, 0, 100 - rare), options, scale);
            case 'f' -> new Ycsb(letter, new Mix(50, 0, 0, 50), options, scale);
            default -> throw new IllegalArgumentException("YCSB has the workloads a to f, not " + letter);
        };
    }

    /** Returns the number of keys, from 0. For other stores that run this workload. */
    public long records() {
        return records;
    }

    /** Returns the bytes of a whole record. */
    public int valueBytes() {
        return fields * length;
    }

    /** Returns the draw of keys to read and update. */
    public Draw keys() {
        return keys;
    }

    /** Returns the shares of the types, in their order. */
    public Mix mix() {
        return mix;
    }

    /** Returns the room for records that a run inserts. */
    public long inserts() {
        return inserts;
    }

    /** Returns whether transactions only scan or insert. */
    public boolean onlyScansAndInserts() {
        return letter == 'e';
    }

    /** Returns whether transactions only read or update one record. */
    public boolean onlyReadsAndUpdates() {
        return letter <= 'c';
    }

    private Draw keys(long ranks) {
        if (letter == 'd') return Draw.zipf(records, zipf);
        return zipf == 0 ? Draw.uniform(records) : new Scrambled(Draw.zipf(ranks, zipf), records);
    }

    private Schema schema() {
        Schema.Builder builder = Schema.builder("usertable");
        for (int i = 0; i < fields; i++) builder.attribute("field" + i, AttributeType.bytes(length));
        Schema built = builder.build();
        for (int i = 0; i < fields; i++)
            Checks.invariant(built.attribute(i).offset() == i * length, "fields lie one behind the other", i);
        if (letter == 'e') return built.withIndexes(List.of(IndexSchema.primary(1)));
        // An update changes one field, any of them.
        return built.withUpdates(
                built.attributes().stream().map(field -> "1 " + field.name()).collect(Collectors.joining(", ")));
    }

    @Override
    public String name() {
        return "ycsb-" + letter;
    }

    @Override
    public String settings() {
        String distribution = zipf == 0 ? "uniform" : String.format(Locale.ROOT, "zipf %.2f", zipf);
        return records + " records of " + fields + " x " + length + " bytes, " + (letter == 'd' ? "latest, " : "")
                + distribution;
    }

    @Override
    public List<String> types() {
        return List.of("read", "update", "insert", "read-modify-write", "scan");
    }

    @Override
    public List<TableSpec> tables() {
        return List.of(new TableSpec(schema, records + inserts));
    }

    @Override
    public List<String> books() {
        return List.of("reads", "updates", "inserts", "scanned records", "wrong values");
    }

    @Override
    public void load(RowSink rows, int share, int shares) {
        for (long record = share; record < records; record += shares) {
            long key = loaded(record);
            long at = rows.row(0, key);
            for (int field = 0; field < fields; field++)
                StampedBytes.write(rows.memory(), at + (long) field * length, length, owner(key, field), 0);
        }
    }

    /** Returns the key of a loaded record. */
    public long loaded(long record) {
        return letter == 'e' ? record << SPREAD_SHIFT : record;
    }

    /** Returns the loaded record at a key or before it; only in E. */
    public static long record(long key) {
        return key >>> SPREAD_SHIFT;
    }

    /** Returns the key of the i-th record that a client inserts. In E it follows any of the loaded records. */
    public long inserted(int client, long i) {
        if (letter != 'e') return (long) (client + 1) << CLIENT_SHIFT | i;
        Checks.argument(i < 1L << SPREAD_CLIENT_SHIFT, "a client of ycsb-e inserts at most a million records");
        long own = (long) (client + 1) << SPREAD_CLIENT_SHIFT | i;
        Checks.argument(own < 1L << SPREAD_SHIFT, "ycsb-e has at most 8191 clients");
        return Long.remainderUnsigned(EightByteKeys.hash(own), records) << SPREAD_SHIFT | own;
    }

    /** Returns the owner of the bytes of a field, see {@link StampedBytes}. */
    static long owner(long key, int field) {
        return key * 16 + field;
    }

    @Override
    public WorkloadClient client(List<TableLayout> tables, int number, int clients, long seed) {
        return new YcsbClient(this, tables.getFirst(), number, clients, seed);
    }

    @Override
    public List<String> check(RowSource rows, long[] book) {
        return new YcsbCheck(this, rows).check(book);
    }

    /** Checks the results of updates and inserts. */
    private static final class YcsbCheck {
        /** This number of consecutive clients without an insert marks the end of all clients. */
        private static final int IDLE_CLIENTS = 1024;

        private final Ycsb ycsb;
        private final RowSource rows;
        private final CheckFindings findings = new CheckFindings();
        private long updates;

        private YcsbCheck(Ycsb ycsb, RowSource rows) {
            this.ycsb = ycsb;
            this.rows = rows;
        }

        private List<String> check(long[] book) {
            for (long record = 0; record < ycsb.records; record++)
                if (!record(ycsb.loaded(record))) findings.add("key " + ycsb.loaded(record) + " is missing");
            long found = ycsb.inserts > 0 ? inserted() : 0;
            findings.same("counts of all fields, against committed updates", book[UPDATES], updates);
            findings.same("records of all clients, against committed inserts", book[INSERTS], found);
            findings.same("wrong or missing values seen by committed transactions", 0, book[WRONG]);
            return findings.list();
        }

        /**
         * Counts the inserted records. Clients insert keys in order, so the first missing key is where a client
         * stopped.
         */
        private long inserted() {
            long found = 0;
            int idle = 0;
            for (int client = 0; idle < IDLE_CLIENTS; client++) {
                long i = 0;
                while (record(ycsb.inserted(client, i))) i++;
                found += i;
                idle = i == 0 ? idle + 1 : 0;
            }
            return found;
        }

        private boolean record(long key) {
            if (!rows.read(0, key)) return false;
            for (int field = 0; field < ycsb.fields; field++) {
                long at = rows.value() + (long) field * ycsb.length;
                updates += StampedBytes.count(rows.memory(), at, ycsb.length);
                if (!StampedBytes.isWhole(rows.memory(), at, ycsb.length, owner(key, field)))
                    findings.add("field " + field + " of key " + key + " is damaged or somebody else's");
            }
            return true;
        }
    }
}
