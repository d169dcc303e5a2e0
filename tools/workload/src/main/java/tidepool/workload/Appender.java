package tidepool.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import tidepool.Cell;
import tidepool.ConflictException;
import tidepool.Rollback;
import tidepool.Transaction;
import tidepool.UnknownOutcomeException;
import tidepool.base.Clock;
import tidepool.base.Randomness;
import tidepool.history.HistoryRecorder;
import tidepool.history.MicroOp;

/**
 * A client that runs transactions of {@link ListAppend}, one after the other, and records their operations and results.
 * Used by one thread.
 */
public final class Appender implements RecordedWorkload.Client {
    /** The event of a transaction that read a full list for the last time and deleted it. */
    static final String DELETED = "lists deleted";

    private static final int MAX_OPERATIONS = 4;

    /** Elements of one process lie between two multiples of this number, so no two processes append equal elements. */
    private static final long ELEMENTS = 10_000_000;

    private final ListAppend lists;
    private final HistoryRecorder recorder;
    private final Randomness random;
    private final LongSupplier processes;
    private final long firstElement;
    private final long[] current;

    /** For each lane, the number of the first list that was not deleted when this client looked last. */
    private final long[] first;

    private final EventCounts eventCounts = new EventCounts();
    private final TxnTally tally = new TxnTally("append");
    private long process;
    private long appended;
    private int inserted;
    private Transaction last;

    /** Thrown when a list was deleted; a later one of its lane is in use. Not an error, so it has no stack trace. */
    private static final class Gone extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final int lane;
        private final long first;

        Gone(int lane, long first) {
            super("the list was deleted", null, false, false);
            this.lane = lane;
            this.first = first;
        }
    }

    /** Thrown when a list is full and its lane needs a new key. Not an error, so it has no stack trace. */
    private static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final long key;

        Full(long key) {
            super("the list is full", null, false, false);
            this.key = key;
        }
    }

    /** @param process the number of this thread among all recording threads of all processes; never used again */
    public Appender(ListAppend lists, HistoryRecorder recorder, long process, Randomness random) {
        this(lists, recorder, process, null, random);
    }

    /**
     * Makes an appender that continues under another process number when the outcome of a transaction stays unknown.
     */
    Appender(ListAppend lists, RecordedWorkload.Pen pen, Randomness random) {
        this(lists, pen.recorder(), pen.processes().getAsLong(), pen.processes(), random);
    }

    private Appender(
            ListAppend lists, HistoryRecorder recorder, long process, LongSupplier processes, Randomness random) {
        this.lists = lists;
        this.recorder = recorder;
        this.process = process;
        this.processes = processes;
        this.random = random;
        this.firstElement = process * ELEMENTS;
        current = new long[lists.width];
        first = new long[lists.width];
        for (int lane = 0; lane < current.length; lane++) current[lane] = firstWithRoom(lane);
    }

    /**
     * Returns the first list of a lane that has room. Others may have filled many lists already; this search is not
     * part of the history.
     */
    private long firstWithRoom(int lane) {
        // A list begins when the previous one is full, so doubling steps and a binary search find the end quickly.
        first[lane] = lists.pool.compute(tx -> lists.first(tx, lane));
        long begin = Math.max(first[lane], lists.firstWithRoom.get(lane));
        long beyond = 1;
        while (isFull(lane, begin + beyond - 1)) beyond *= 2;
        long from = begin + beyond / 2;
        for (long to = begin + beyond - 1; from < to; ) {
            long middle = (from + to) / 2;
            if (isFull(lane, middle)) from = middle + 1;
            else to = middle;
        }
        lists.firstWithRoom.accumulateAndGet(lane, from, Math::max);
        return lists.key(lane, from);
    }

    private boolean isFull(int lane, long number) {
        long key = lists.key(lane, number);
        NumberList list = lists.pool.compute(tx -> lists.lists.get(tx, key));
        return list != null && list.count() >= lists.longest;
    }

    /**
     * Runs one transaction to its end and waits for its outcome. An exception ends the appender: its process number is
     * used up.
     */
    @Override
    public void next() {
        for (int lane = 0; lane < current.length; lane++)
            if (lists.number(current[lane]) - first[lane] >= lists.kept) {
                deleteFirst(lane);
                return;
            }
        Plan plan = draw();
        if (record(plan.operations(), (tx, seen) -> {
            inserted = 0;
            new Attempt(tx, plan, seen).run();
        })) eventCounts.add("first-touch inserts", inserted);
    }

    /**
     * Reads the first list of a lane and deletes it. It is full, so the history has all of it. Another client may be
     * earlier.
     */
    private void deleteFirst(int lane) {
        long key = lists.key(lane, first[lane]);
        boolean done = record(List.of(MicroOp.read(key)), (tx, seen) -> {
            long now = lists.first(tx, lane);
            if (now > lists.number(key)) throw new Gone(lane, now);
            seen.add(MicroOp.readList(key, lists.lists.get(tx, key).elements()));
            lists.delete(tx, key);
        });
        if (!done) return;
        first[lane]++;
        eventCounts.add(DELETED);
    }

    /** The operations of a transaction, which adds what they have seen. */
    private interface Body {
        void run(Transaction tx, List<MicroOp> seen);
    }

    /** Runs a transaction to its end and records it. Returns whether it has committed. */
    private boolean record(List<MicroOp> operations, Body body) {
        int ticket = recorder.invoke(process, operations);
        List<MicroOp> seen = new ArrayList<>();
        long start = Clock.current().nowNanos();
        try {
            lists.pool.transact(tx -> {
                last = tx;
                seen.clear();
                body.run(tx, seen);
            });
            recorder.ok(ticket, seen);
            tally.committed(Clock.current().nowNanos() - start, last.roundTrips());
            return true;
        } catch (Full e) {
            recorder.fail(ticket);
            tally.rolledBack();
            eventCounts.add("found a list full");
            int lane = lists.lane(e.key);
            if (current[lane] == e.key) current[lane] += lists.width;
        } catch (Gone e) {
            recorder.fail(ticket);
            tally.rolledBack();
            eventCounts.add("found a list deleted");
            first[e.lane] = e.first;
            current[e.lane] = Math.max(current[e.lane], lists.key(e.lane, e.first));
        } catch (Rollback e) {
            recorder.fail(ticket);
            tally.rolledBack();
        } catch (ConflictException e) {
            recorder.fail(ticket);
            tally.gaveUp();
        } catch (UnknownOutcomeException e) {
            recorder.info(ticket);
            if (processes == null) throw e;
            process = processes.getAsLong();
            eventCounts.add("unknown outcomes");
        } catch (RuntimeException e) {
            recorder.info(ticket);
            throw e;
        }
        return false;
    }

    /**
     * One transaction, drawn before its first attempt.
     *
     * @param plain whether every operation asks the pool, as programs do, instead of a local copy of the list
     * @param together whether all accesses are declared before the first result is used
     * @param upgrades whether a list is read before it is declared for writing
     * @param inserts whether a new key is inserted, or put
     * @param givesUp whether the application rolls back at the end
     */
    private record Plan(
            List<MicroOp> operations,
            boolean plain,
            boolean together,
            boolean upgrades,
            boolean inserts,
            boolean givesUp) {
        boolean appendsTo(long key) {
            for (MicroOp op : operations) if (op instanceof MicroOp.Append && op.key() == key) return true;
            return false;
        }
    }

    private Plan draw() {
        List<MicroOp> operations = new ArrayList<>();
        for (int i = 1 + random.nextInt(MAX_OPERATIONS); i > 0; i--) {
            int lane = random.nextInt(lists.width);
            long key = current[lane];
            boolean append = random.nextBoolean();
            operations.add(append ? MicroOp.append(key, firstElement + ++appended) : MicroOp.read(key));
        }
        return new Plan(
                operations,
                random.nextBoolean(),
                random.nextBoolean(),
                random.chance(1, 4),
                random.nextBoolean(),
                random.chance(1, 30));
    }

    /** One attempt of a transaction. Keeps the lists as the transaction sees them. */
    private final class Attempt {
        private final Transaction tx;
        private final Plan plan;
        private final List<MicroOp> seen;
        private final Map<Long, Cell<NumberList>> cells = new LinkedHashMap<>();
        private final Map<Long, long[]> contents = new LinkedHashMap<>();

        Attempt(Transaction tx, Plan plan, List<MicroOp> seen) {
            this.tx = tx;
            this.plan = plan;
            this.seen = seen;
        }

        void run() {
            if (plan.together()) for (MicroOp op : plan.operations()) cell(op.key());
            if (plan.plain()) runPlainly();
            else runOnCopies();
            if (plan.givesUp()) throw new Rollback("changed my mind");
        }

        /** Carries out the operations one by one. The transaction reads its own appends. */
        private void runPlainly() {
            for (MicroOp op : plan.operations()) {
                if (op instanceof MicroOp.Append(long key, long element)) {
                    Cell<NumberList> cell = plan.upgrades() ? lists.lists.read(tx, key) : lists.lists.update(tx, key);
                    long[] list = elements(cell);
                    requireRoom(key, list);
                    store(cell, NumberList.of(key, NumberList.plus(list, element)));
                    seen.add(op);
                } else {
                    NumberList list = lists.lists.get(tx, op.key());
                    seen.add(MicroOp.readList(op.key(), list == null ? missing(op.key()) : list.elements()));
                }
            }
        }

        private void runOnCopies() {
            for (MicroOp op : plan.operations()) {
                long[] list = contents.computeIfAbsent(op.key(), this::load);
                if (op instanceof MicroOp.Append(long key, long element)) {
                    requireRoom(key, list);
                    contents.put(key, NumberList.plus(list, element));
                    seen.add(op);
                } else {
                    seen.add(MicroOp.readList(op.key(), list));
                }
            }
            for (long key : cells.keySet())
                if (plan.appendsTo(key)) store(cells.get(key), NumberList.of(key, contents.get(key)));
        }

        /** A list that only the appends of this transaction fill stays in use. */
        private void requireRoom(long key, long[] list) {
            if (list.length < lists.longest) return;
            int own = 0;
            for (MicroOp op : seen) if (op instanceof MicroOp.Append && op.key() == key) own++;
            if (list.length - own >= lists.longest) throw new Full(key);
            throw new Rollback("no room for all elements of this transaction");
        }

        private Cell<NumberList> cell(long key) {
            return cells.computeIfAbsent(
                    key,
                    k -> plan.appendsTo(k) && !plan.upgrades() ? lists.lists.update(tx, k) : lists.lists.read(tx, k));
        }

        private long[] load(long key) {
            return elements(cell(key));
        }

        private long[] elements(Cell<NumberList> cell) {
            return cell.isPresent() ? cell.get().elements() : missing(cell.key());
        }

        /** Returns the elements of a list that is not there: none, unless it was deleted. */
        private long[] missing(long key) {
            int lane = lists.lane(key);
            long now = lists.first(tx, lane);
            if (now > lists.number(key)) throw new Gone(lane, now);
            return new long[0];
        }

        private void store(Cell<NumberList> cell, NumberList list) {
            if (!cell.isPresent()) {
                inserted++;
                if (plan.inserts()) lists.lists.insert(tx, list);
                else lists.lists.put(tx, list);
            } else if (plan.upgrades()) {
                lists.lists.update(tx, cell.key()).set(list);
            } else {
                cell.set(list);
            }
        }
    }

    @Override
    public long process() {
        return process;
    }

    @Override
    public TxnTally tally() {
        return tally;
    }

    @Override
    public EventCounts eventCounts() {
        return eventCounts;
    }
}
