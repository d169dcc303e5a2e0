package tidepool.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.base.Checks;
import tidepool.base.Randomness;
import tidepool.history.HistoryRecorder;
import tidepool.history.MicroOp;

/**
 * Elle's list-append: transactions read lists and append unique numbers, so a list that was read tells the order of all
 * writes to it.
 *
 * <p>A fixed number of lists is in use at a time, one in each lane. A full list is no longer used and a new key takes
 * its place: key k + width follows key k. The first append to a key creates it. The table keeps the last full lists of
 * a lane; older ones are read once more and deleted, so the table never fills up. A row of each lane has the number of
 * the first list that was not deleted. So a transaction that misses a list knows whether it is new or was deleted.
 */
public final class ListAppend implements RecordedWorkload {
    final Tidepool pool;
    final Table<NumberList> lists;
    final int width;
    final int longest;

    /** The number of lists of a lane that the table keeps: the one in use, and full ones. */
    final int kept;

    /** For each lane, the number of the first list that had room when a client of this process looked last. */
    final AtomicLongArray firstWithRoom;

    /** The table has room for more rows than kept lists, because a client may begin a list before it deletes one. */
    private static final int ROWS_PER_LIST = 2;

    private static final int MIN_KEPT = 2;

    /**
     * Opens the lists of a pool. Creates their table if there is none.
     *
     * @param width lists in use at a time
     * @param longest elements of a full list, 100 at most
     * @param rows number of keys for which the table has room; it has more if lists need it
     */
    public ListAppend(Tidepool pool, int width, int longest, int rows) {
        this(pool, "lists", width, longest, rows);
    }

    /** Opens lists in a table of the given name. */
    public ListAppend(Tidepool pool, String name, int width, int longest, int rows) {
        Checks.argument(
                longest >= 1 && longest <= NumberList.MAX_NUMBERS,
                "a list has 1 to " + NumberList.MAX_NUMBERS + " elements");
        Checks.argument(width >= 1, "one list or more in use");
        this.pool = pool;
        this.width = width;
        this.longest = longest;
        int room = Math.max(rows, minRows(width));
        this.kept = room / width / ROWS_PER_LIST - 1;
        this.firstWithRoom = new AtomicLongArray(width);
        lists = pool.table(name, NumberList.class, room);
    }

    /** Returns the smallest number of rows of a table with this number of lists in use. */
    public static int minRows(int width) {
        return ROWS_PER_LIST * (MIN_KEPT + 1) * width;
    }

    /** Returns the key of a list, by its number in the lane. */
    long key(int lane, long number) {
        return lane + number * width;
    }

    int lane(long key) {
        return (int) (key % width);
    }

    long number(long key) {
        return key / width;
    }

    /** Returns the number of the first list of the lane that was not deleted, as the transaction sees it. */
    long first(Transaction tx, int lane) {
        NumberList row = lists.get(tx, rowOf(lane));
        return row == null ? 0 : row.elements()[0];
    }

    /** Deletes a list, which is the first of its lane. */
    void delete(Transaction tx, long key) {
        lists.delete(tx, key);
        lists.put(tx, NumberList.of(rowOf(lane(key)), new long[] {number(key) + 1}));
    }

    /** Returns the key of the row that has the number of the first list of a lane. No list has a negative key. */
    private static long rowOf(int lane) {
        return -1L - lane;
    }

    @Override
    public Client client(Pen pen, Randomness random) {
        return new Appender(this, pen, random);
    }

    @Override
    public EventCounts readAll(Pen pen) {
        EventCounts eventCounts = new EventCounts();
        long process = pen.processes().getAsLong();
        for (int lane = 0; lane < width; lane++) {
            int of = lane;
            long key = key(lane, pool.compute(tx -> first(tx, of)));
            for (; readOne(pen.recorder(), process, key); key += width) eventCounts.add("lists");
            if (key > lane) eventCounts.add("lists filled and left behind", number(key) - 1);
        }
        return eventCounts;
    }

    /** Reads all lists under one process number. Returns the number of keys. */
    public int readAll(HistoryRecorder recorder, long process) {
        return (int) readAll(new Pen(recorder, () -> process)).count("lists");
    }

    private boolean readOne(HistoryRecorder recorder, long process, long key) {
        List<MicroOp> seen = new ArrayList<>();
        int ticket = recorder.invoke(process, List.of(MicroOp.read(key)));
        NumberList found = pool.compute(tx -> lists.get(tx, key));
        seen.add(MicroOp.readList(key, found == null ? new long[0] : found.elements()));
        recorder.ok(ticket, seen);
        return found != null;
    }
}
