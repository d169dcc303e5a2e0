package tidepool.clusters;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tidepool.ConflictException;
import tidepool.Rollback;
import tidepool.Tidepool;
import tidepool.UnknownOutcomeException;
import tidepool.base.Randomness;
import tidepool.clusters.RandomTxns.Kind;
import tidepool.clusters.RecordedAttempt.Change;
import tidepool.clusters.RecordedAttempt.Seen;
import tidepool.history.MicroOp;
import tidepool.schema.IndexSchema;
import tidepool.schema.RowKey;
import tidepool.sim.Simulation;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.RangeScan;
import tidepool.txn.Txn;

/**
 * Random transactions on {@link OrderedRows}: scans of both indexes, forward and backward, with limits and of entries
 * alone, next to reads, inserts, moves and deletes. Many scan one stretch and write into another, while others do the
 * opposite: without phantoms one of the two does not commit. Everything that is read and changed goes into the history.
 */
final class OrderedTxns implements StrandTxns {
    /** Places at which rows lie, so few that some share one. */
    private static final int PLACES = 40;

    private static final int LOADED_AT_ONCE = 6;

    /** A step of a transaction: an operation on a row, or a scan. */
    private sealed interface Step {}

    /** @param place to which the row moves; -1 if it stays */
    private record OnRow(Kind kind, long number, long place) implements Step {}

    private record Scan(boolean isOfPlaces, long from, long through, boolean isReversed, long limit, boolean isKeysOnly)
            implements Step {}

    private final ClusterOptions options;
    private final OrderedRows rows;
    private final ClusterHistory history;
    private final ClusterReport report;
    private final Tidepool pool;
    private final TableLayout table;
    private final Randomness random;
    private final String who;

    OrderedTxns(
            ClusterOptions options,
            OrderedRows rows,
            ClusterHistory history,
            ClusterReport report,
            Tidepool pool,
            TableLayout table,
            Randomness random,
            String who) {
        this.options = options;
        this.rows = rows;
        this.history = history;
        this.report = report;
        this.pool = pool;
        this.table = table;
        this.random = random;
        this.who = who;
    }

    // ---- workloads

    /** Inserts two thirds of the rows, several at a time. */
    @Override
    public void load() {
        List<Step> some = new ArrayList<>();
        for (int i = 0; i < options.others(); i++) {
            if (i % 3 < 2) some.add(new OnRow(Kind.INSERT, i, random.nextInt(PLACES)));
            if (some.size() < LOADED_AT_ONCE && i + 1 < options.others()) continue;
            run(some, false);
            some = new ArrayList<>();
        }
    }

    @Override
    public void runOne() {
        run(random.chance(1, 3) ? drawSkew() : draw(), random.chance(1, 12));
    }

    /** Scans everything, reads and writes every row, and scans again. */
    @Override
    public void sweep() {
        scanAll();
        for (int i = 0; i < options.others(); i++) {
            run(List.of(new OnRow(Kind.READ, i, -1)), false);
            run(List.of(new OnRow(Kind.PUT, i, random.nextInt(PLACES))), false);
        }
        scanAll();
    }

    private void scanAll() {
        for (boolean isOfPlaces : new boolean[] {false, true})
            for (boolean isReversed : new boolean[] {false, true})
                run(List.of(everything(isOfPlaces, isReversed, random.nextBoolean())), false);
    }

    private static Scan everything(boolean isOfPlaces, boolean isReversed, boolean isKeysOnly) {
        return new Scan(isOfPlaces, Long.MIN_VALUE, Long.MAX_VALUE, isReversed, Long.MAX_VALUE, isKeysOnly);
    }

    /** Draws a transaction that scans one stretch of an index and writes into another one. */
    private List<Step> drawSkew() {
        boolean isOfPlaces = random.nextBoolean();
        int room = isOfPlaces ? PLACES : options.others();
        int stretch = room / 4;
        int scanned = random.nextInt(4);
        int written = (scanned + 1 + random.nextInt(3)) % 4;
        Scan scan = new Scan(
                isOfPlaces,
                (long) scanned * stretch,
                (scanned + 1L) * stretch - 1,
                random.nextBoolean(),
                random.chance(1, 4) ? 1 + random.nextInt(3) : Long.MAX_VALUE,
                random.nextBoolean());
        long into = (long) written * stretch + random.nextInt(stretch);
        long number = isOfPlaces ? random.nextInt(options.others()) : into;
        long place = isOfPlaces ? into : random.nextInt(PLACES);
        Kind kind = random.pick(List.of(Kind.INSERT, Kind.PUT, Kind.PUT, Kind.DELETE));
        return List.of(scan, new OnRow(kind, number, place));
    }

    private List<Step> draw() {
        boolean readOnly = random.chance(1, 4);
        Set<Long> written = new HashSet<>();
        List<Step> steps = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            long number = random.nextInt(options.others());
            if (random.chance(1, 3)) steps.add(drawScan());
            else if (readOnly || random.chance(1, 5)) steps.add(new OnRow(Kind.READ, number, -1));
            else if (written.add(number)) steps.add(new OnRow(drawKind(), number, drawPlace()));
        }
        if (!written.isEmpty() && random.chance(1, 3)) steps.add(drawScan()); // sees its own writes
        return steps;
    }

    private long drawPlace() {
        return random.chance(1, 3) ? -1 : random.nextInt(PLACES);
    }

    private Kind drawKind() {
        return switch (random.nextInt(8)) {
            case 0, 1 -> Kind.INSERT;
            case 2, 3 -> Kind.DELETE;
            case 4 -> Kind.PUT;
            default -> Kind.UPDATE;
        };
    }

    private Scan drawScan() {
        boolean isOfPlaces = random.nextBoolean();
        int room = isOfPlaces ? PLACES : options.others();
        long from = random.chance(1, 4) ? Long.MIN_VALUE : random.nextInt(room);
        long through = random.chance(1, 4) ? Long.MAX_VALUE : random.nextInt(room);
        if (random.chance(1, 2) && from >= 0) through = from + random.nextInt(room / 4);
        long limit = random.chance(1, 3) ? 1 + random.nextInt(6) : Long.MAX_VALUE;
        return new Scan(isOfPlaces, from, through, random.nextBoolean(), limit, random.nextBoolean());
    }

    // ---- one transaction

    private void run(List<Step> steps, boolean givesUp) {
        if (steps.isEmpty()) return;
        RecordedAttempt[] last = new RecordedAttempt[1];
        ClusterFailure[] wrong = new ClusterFailure[1];
        try {
            pool.transact(tx -> {
                if (last[0] != null) history.failed(last[0]);
                last[0] = history.invoke(tx.id(), who);
                try {
                    attempt(tx.raw(), steps, last[0]);
                } catch (ClusterFailure e) {
                    wrong[0] = e;
                    throw e;
                }
                if (givesUp) throw new Rollback("as planned");
            });
            history.ok(last[0]);
            report.add("committed", 1);
        } catch (Rollback e) {
            history.failed(last[0]);
            report.add("rolled back", 1);
        } catch (ConflictException e) {
            throw new ClusterFailure("no progress: " + e.getMessage() + " in " + steps, e);
        } catch (UnknownOutcomeException e) {
            report.add("outcome unknown", 1);
        } catch (StoreException e) {
            boolean owned = e.reason() == StoreException.Reason.OWNED;
            if (e.reason() != StoreException.Reason.FULL && !owned) throw e;
            if (last[0] != null) history.failed(last[0]);
            report.add(owned ? "owned elsewhere" : "table full", 1);
        }
        if (wrong[0] != null) throw wrong[0];
    }

    /** Returns early if the attempt was aborted: the pool learns it at commit. */
    private void attempt(Txn txn, List<Step> steps, RecordedAttempt attempt) {
        boolean isInteractive = random.chance(1, 3);
        List<OnRow> pending = new ArrayList<>();
        int[] accesses = new int[steps.size()];
        for (Step step : steps) {
            switch (step) {
                case OnRow row -> {
                    accesses[pending.size()] = declare(txn, row);
                    pending.add(row);
                    if (isInteractive && !perform(txn, pending, accesses, attempt)) return;
                }
                case Scan scan -> {
                    if (!perform(txn, pending, accesses, attempt) || !scan(txn, scan, attempt)) return;
                }
            }
            if (random.chance(1, 4)) Simulation.work(random.nextInt(5_000));
        }
        perform(txn, pending, accesses, attempt);
    }

    private int declare(Txn txn, OnRow row) {
        RowKey key = rows.key(row.number());
        return switch (row.kind()) {
            case READ -> txn.read(table, key);
            case UPDATE -> txn.update(table, key);
            case INSERT -> txn.insert(table, key);
            case PUT -> txn.put(table, key);
            case DELETE -> txn.delete(table, key);
        };
    }

    private boolean perform(Txn txn, List<OnRow> pending, int[] accesses, RecordedAttempt attempt) {
        if (pending.isEmpty()) return true;
        if (!txn.execute()) return false;
        for (int i = 0; i < pending.size(); i++) look(txn, pending.get(i), accesses[i], attempt);
        pending.clear();
        return true;
    }

    private void look(Txn txn, OnRow row, int access, RecordedAttempt attempt) {
        long ofKey = VersionedPlace.ofKey(row.number());
        Change own = attempt.changeOf(ofKey);
        boolean isThere = txn.found(access);
        if (own != null) {
            if (isThere != own.present() || isThere && sum(txn, access) != own.content())
                throw new ClusterFailure("row " + row.number() + " does not show " + attempt + " its own " + own);
            return;
        }
        if (!txn.writes(access)) {
            attempt.seen.add(
                    isThere
                            ? new Seen(ofKey, row.number(), checked(txn, access, row.number(), attempt))
                            : new Seen(bucketOf(txn, access), row.number(), txn.version(access)));
            return;
        }
        boolean deletes = row.kind() == Kind.DELETE;
        long replaced = isThere ? checked(txn, access, row.number(), attempt) : 0;
        long bucket = 0;
        if (deletes || !isThere) {
            bucket = bucketOf(txn, access);
            if (attempt.changeOf(bucket) == null)
                attempt.changes.add(new Change(bucket, txn.bucketVersion(access), 0, true, 0));
        }
        if (!deletes) {
            long before = rows.placeOf(txn.memory(), txn.value(access));
            long place = row.place() >= 0 ? row.place() : isThere ? before : 0;
            rows.append(txn.memory(), txn.value(access), attempt.id, place);
            attempt.positions.put(ofKey, place);
            report.add("row moved in an index", isThere && place != before ? 1 : 0);
        }
        attempt.changes.add(new Change(ofKey, replaced, deletes ? 0 : sum(txn, access), !deletes, bucket));
    }

    private long sum(Txn txn, int access) {
        return rows.sum(txn.memory(), txn.value(access));
    }

    /** Returns the writer of a row, after checking that the row is exactly what that attempt wrote. */
    private long checked(Txn txn, int access, long number, RecordedAttempt reader) {
        long ofKey = VersionedPlace.ofKey(number);
        RecordedAttempt by = history.find(rows.writer(txn.memory(), txn.value(access)));
        Change change = by == null ? null : by.changeOf(ofKey);
        String what = "row " + number + " shows " + reader;
        if (change == null || change.content() != sum(txn, access))
            throw new ClusterFailure(what + " what " + by + " did not write");
        if (by.end == RecordedAttempt.End.FAILED) throw new ClusterFailure(what + " the aborted " + by);
        return by.id;
    }

    private static long bucketOf(Txn txn, int access) {
        return VersionedPlace.ofBucket(txn.bucket(access));
    }

    // ---- scans

    private boolean scan(Txn txn, Scan asked, RecordedAttempt attempt) {
        RangeScan scan = new RangeScan(table, asked.isOfPlaces() ? OrderedRows.BY_PLACE : IndexSchema.PRIMARY);
        if (asked.from() != Long.MIN_VALUE) scan.from(bound(asked, asked.from()));
        if (asked.through() != Long.MAX_VALUE) scan.through(bound(asked, asked.through()));
        if (asked.isReversed()) scan.reversed();
        if (asked.isKeysOnly()) scan.keysOnly();
        scan.limit(asked.limit()).begin();
        List<MicroOp.RangeRow> found = new ArrayList<>();
        while (scan.hasNext()) {
            if (!txn.scan(scan)) return false;
            for (int i = 0; i < scan.rows(); i++) found.add(row(txn, scan, i, asked, attempt));
        }
        attempt.ranges.add(new RecordedAttempt.Range(
                new MicroOp.Range(
                        asked.isOfPlaces() ? OrderedRows.PLACES : MicroOp.KEY_ORDER,
                        asked.from(),
                        asked.through(),
                        asked.isReversed(),
                        asked.limit(),
                        found),
                attempt.changes.size()));
        report.add("range read", 1);
        report.add("range read backwards", asked.isReversed() ? 1 : 0);
        report.add("range that ended at its limit", found.size() == asked.limit() ? 1 : 0);
        report.add("range of entries alone", asked.isKeysOnly() ? 1 : 0);
        report.add("range without a row", found.isEmpty() ? 1 : 0);
        report.add("range after own writes", attempt.changes.isEmpty() ? 0 : 1);
        return true;
    }

    private static Object[] bound(Scan asked, long value) {
        return new Object[] {asked.isOfPlaces() ? (Object) value : OrderedRows.name(value)};
    }

    private MicroOp.RangeRow row(Txn txn, RangeScan scan, int i, Scan asked, RecordedAttempt attempt) {
        long number = OrderedRows.number(scan.key(i, rows.schema().key().newKey()));
        // The column of an entry, as IndexKeys writes it.
        long place = ByteBuffer.wrap(scan.entries()).getLong(i * scan.keys().width()) ^ Long.MIN_VALUE;
        MicroOp.Seen seen = asked.isKeysOnly()
                ? MicroOp.Seen.NOTHING
                : new MicroOp.Seen.Version(checked(txn, scan.access(i), number, attempt));
        return new MicroOp.RangeRow(number, seen, asked.isOfPlaces() ? place : number);
    }
}
