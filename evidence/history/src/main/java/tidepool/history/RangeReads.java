package tidepool.history;

import static tidepool.history.VersionOrders.INITIAL;
import static tidepool.history.VersionOrders.NONE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What range reads say of rows whose versions they do not name: rows that they did not return, and rows of which they
 * read only the entry of the index.
 *
 * <p>A row passes through states, one for each version: at a position of the index, or not in it. A range read that did
 * not return the row saw a state outside of the range. So it comes after the first such state began, and before the
 * last such state ended:
 *
 * <pre>
 *   not there -> v1 at 5 -> v2 at 9 -> removed -> v4 at 5       a read of 3..6 without the row
 *   ^^^^^^^^^               ^^^^^^^^^^^^^^^^^^                  saw one of these two runs of states
 *        R -rw-> v4, whichever it was                           edges that hold without the clock
 *        v2 -wr-> R, if v1 had completed before R was invoked   edges in time: one run is left
 * </pre>
 *
 * Edges of the second sort prove something only against levels that promise the order of real time. If no run is left,
 * the edge goes to the end of the last run that had begun: real time closes the cycle.
 */
final class RangeReads {
    /** What is wrong with a range read by itself. */
    enum Fault {
        /** A row outside of the range, too many rows, or another order. */
        DISORDER,
        /** A row at a position at which it never was. */
        NEVER_THERE,
        /** A row that the transaction itself has written, and that it did not see so. */
        NOT_AS_OWN
    }

    /** A fault of a range read with a row. */
    record Found(Fault fault, int op, int key) {}

    /** An edge of the graph of dependencies. */
    record Edge(int from, int to, int kind, int fromOp, int toOp) {}

    /** A row at a position of an index, at some time. */
    private record Place(long position, long number, int key) {}

    private static final Comparator<Place> ORDER =
            Comparator.comparingLong(Place::position).thenComparingLong(Place::number);

    private final History history;
    private final Ops ops;
    private final KeyNumbering keys;
    private final Ranges ranges;
    private final Transactions transactions;
    private final VersionOrders orders;
    private final List<Edge> edges = new ArrayList<>();
    private final List<Found> faults = new ArrayList<>();

    /** By index and write, the operation that put the row at its position. */
    private final LongIntMap entries = new LongIntMap();

    /** By index, the places at which rows ever were. */
    private final Map<Integer, Place[]> places = new HashMap<>();

    /** By key, writes that took effect or not, and whose place among the versions is not known. */
    private final Map<Integer, IntColumn> loose = new HashMap<>();

    // ---- the range read that is looked at
    private int reader;
    private int op;
    private int index;
    private int range;
    private Place low;
    private Place high;
    private final Map<Integer, Integer> returned = new HashMap<>();
    private final Map<Integer, Integer> own = new HashMap<>();
    private final int[] judged;

    // ---- the runs of states of a row that the read may have seen: the write that began each, and that which ended it
    private final IntColumn begins = new IntColumn();
    private final IntColumn ends = new IntColumn();

    RangeReads(History history, VersionOrders orders) {
        this.history = history;
        this.ops = history.ops;
        this.keys = history.keys;
        this.ranges = history.ranges;
        this.transactions = history.transactions;
        this.orders = orders;
        judged = new int[keys.count()];
        Arrays.fill(judged, NONE);
        if (ranges.count() > 0) judgeAll();
    }

    List<Edge> edges() {
        return edges;
    }

    List<Found> faults() {
        return faults;
    }

    private void judgeAll() {
        collectEntries();
        collectPlaces();
        for (int t = 0; t < transactions.count(); t++) {
            if (!orders.isCommitted(t)) continue;
            own.clear();
            for (int each = transactions.firstOp(t); each < transactions.endOp(t); each++) {
                if (ops.isWrite(each)) own.put(ops.key(each), each);
                if (ops.kind(each) == Ops.RANGE) judge(t, each);
            }
        }
    }

    // ---- states of rows

    private void collectEntries() {
        for (int t = 0; t < transactions.count(); t++) {
            int first = transactions.firstOp(t);
            for (int entry = first; entry < transactions.endOp(t); entry++) {
                if (ops.kind(entry) != Ops.ENTRY) continue;
                int write = entry;
                while (!ops.isWrite(write) || ops.key(write) != ops.bucket(entry)) write--;
                entries.put(stateOf(ops.key(entry), write), entry);
            }
        }
    }

    private static long stateOf(int index, int write) {
        return (long) index << 32 | write;
    }

    private void collectPlaces() {
        Map<Integer, List<Place>> all = new HashMap<>();
        for (int key = 0; key < keys.count(); key++) if (keys.isIndex(key)) all.put(key, new ArrayList<>());
        for (int t = 0; t < transactions.count(); t++) {
            for (int write = transactions.firstOp(t); write < transactions.endOp(t); write++) {
                if (!ops.isWrite(write) || !keys.isOrdered(ops.key(write))) continue;
                int key = ops.key(write);
                boolean isLoose = !orders.isChained(write);
                if (isLoose) loose.computeIfAbsent(key, _ -> new IntColumn()).add(write);
                for (Map.Entry<Integer, List<Place>> each : all.entrySet())
                    if (isIn(each.getKey(), write))
                        each.getValue().add(new Place(position(each.getKey(), write), keys.number(key), key));
            }
        }
        all.forEach((key, list) ->
                places.put(key, list.stream().distinct().sorted(ORDER).toArray(Place[]::new)));
    }

    /** Whether the version that a write has made lies in an index. */
    private boolean isIn(int ofIndex, int write) {
        if (write < 0 || ops.kind(write) == Ops.DELETE) return false;
        return keys.number(ofIndex) == MicroOp.KEY_ORDER || entries.get(stateOf(ofIndex, write)) != LongIntMap.ABSENT;
    }

    private long position(int ofIndex, int write) {
        return keys.number(ofIndex) == MicroOp.KEY_ORDER
                ? keys.number(ops.key(write))
                : ops.value(entries.get(stateOf(ofIndex, write)));
    }

    // ---- one range read

    private void judge(int t, int rangeOp) {
        reader = t;
        op = rangeOp;
        index = ops.key(op);
        range = (int) ops.value(op);
        low = new Place(ranges.from(range), Long.MIN_VALUE, NONE);
        high = new Place(ranges.through(range), Long.MAX_VALUE, NONE);
        takeRows();
        if (ranges.limit(range) == 0) return;
        Place[] all = places.get(index);
        for (int i = firstFrom(all); i < all.length && ORDER.compare(all[i], high) <= 0; i++)
            if (judged[all[i].key()] != op) judge(all[i].key());
        for (int key : returned.keySet()) if (judged[key] != op) judge(key);
    }

    private int firstFrom(Place... all) {
        int at = Arrays.binarySearch(all, low, ORDER);
        return at < 0 ? -at - 1 : at;
    }

    /** Takes note of the rows, and of where the range ended if it has reached its limit. */
    private void takeRows() {
        returned.clear();
        boolean isReversed = ranges.isReversed(range);
        Place before = null;
        for (int row = ranges.firstRow(range); row < ranges.endRow(range); row++) {
            int key = ranges.key(row);
            Place place = new Place(ranges.position(row), keys.number(key), key);
            boolean isInOrder = before == null || ORDER.compare(before, place) * (isReversed ? -1 : 1) < 0;
            boolean isInside = ORDER.compare(low, place) <= 0 && ORDER.compare(place, high) <= 0;
            boolean isTooMany = row - ranges.firstRow(range) >= ranges.limit(range);
            boolean isTwice = returned.put(key, row) != null;
            if (!isInOrder || !isInside || isTooMany || isTwice) faults.add(new Found(Fault.DISORDER, op, key));
            before = place;
        }
        if (before == null || !ranges.isFull(range)) return;
        if (isReversed) low = before;
        else high = before;
    }

    private void judge(int key) {
        judged[key] = op;
        int row = returned.getOrDefault(key, NONE);
        Integer written = own.get(key);
        if (written != null) {
            judgeOwn(key, row, written);
            return;
        }
        if (row != NONE && ranges.hasVersion(row)) {
            int writer = history.versions.find(key, ranges.version(row));
            // A version that was never written is an anomaly of the read of the row.
            if (writer != VersionIndex.NO_WRITE && !mayHaveSeen(writer, row))
                faults.add(new Found(Fault.NEVER_THERE, op, key));
            return;
        }
        findRuns(key, row);
        boolean isOpen = hasLoose(key, row);
        if (begins.size() == 0 && !isOpen) faults.add(new Found(Fault.NEVER_THERE, op, key));
        if (begins.size() > 0 && !isOpen) connect();
    }

    /** A version that the transaction itself has read is looked at by {@link InternalChecks}. */
    private void judgeOwn(int key, int row, int written) {
        boolean isSeen = row == NONE || !ranges.hasVersion(row)
                ? mayHaveSeen(written, row)
                : ranges.version(row) != ops.value(written) || mayHaveSeen(written, row);
        if (!isSeen) faults.add(new Found(Fault.NOT_AS_OWN, op, key));
    }

    /** Whether the read may have seen a row in this state: with this row, or without it. */
    private boolean mayHaveSeen(int write, int row) {
        boolean isIn = isIn(index, write);
        if (row != NONE) return isIn && position(index, write) == ranges.position(row);
        if (!isIn) return true;
        int key = ops.key(write);
        Place place = new Place(position(index, write), keys.number(key), key);
        return ORDER.compare(place, low) < 0 || ORDER.compare(high, place) < 0;
    }

    private void findRuns(int key, int row) {
        begins.clear();
        ends.clear();
        int last = orders.last(key);
        boolean isRun = false;
        for (int state = INITIAL; ; state = orders.successor(state, key)) {
            // The transaction itself has written the row later, so it cannot have seen what came after that.
            boolean isLater = state != INITIAL && transactions.owner(state) == reader;
            boolean matches = !isLater && (state == INITIAL ? row == NONE : mayHaveSeen(state, row));
            if (matches && !isRun) begins.add(state);
            if (!matches && isRun) ends.add(state);
            isRun = matches;
            if (isLater || state == last) break;
        }
        if (isRun) ends.add(NONE);
    }

    /** Whether the read may have seen a version whose place among the others is not known. */
    private boolean hasLoose(int key, int row) {
        IntColumn some = loose.get(key);
        if (some == null) return false;
        for (int i = 0; i < some.size(); i++) {
            int write = some.at(i);
            if (transactions.owner(write) != reader && mayHaveSeen(write, row)) return true;
        }
        return false;
    }

    private void connect() {
        int last = begins.size() - 1;
        edge(begins.at(0), op, Graph.WR);
        edge(op, ends.at(last), Graph.RW);
        if (last == 0) return;
        int first = 0;
        while (first <= last && !isPossible(first)) first++;
        while (last > first && !isPossible(last)) last--;
        if (first > last) {
            last = begins.size() - 1;
            while (last > 0 && !hadBegun(last)) last--;
            edge(op, ends.at(last), Graph.RW_IN_TIME);
            return;
        }
        if (first > 0) edge(begins.at(first), op, Graph.WR_IN_TIME);
        if (last < begins.size() - 1) edge(op, ends.at(last), Graph.RW_IN_TIME);
    }

    private void edge(int earlier, int later, int kind) {
        if (earlier < 0 || later < 0) return;
        int from = transactions.owner(earlier);
        int to = transactions.owner(later);
        if (from != to) edges.add(new Edge(from, to, kind, earlier, later));
    }

    /** Whether real time allows that the read saw a run. */
    private boolean isPossible(int run) {
        int end = ends.at(run);
        boolean isOver = end != NONE && transactions.completed(transactions.owner(end)) < transactions.invoked(reader);
        return hadBegun(run) && !isOver;
    }

    private boolean hadBegun(int run) {
        int begin = begins.at(run);
        return begin == INITIAL || transactions.invoked(transactions.owner(begin)) < transactions.completed(reader);
    }
}
