package tidepool.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Checks;
import tidepool.base.Randomness;
import tidepool.history.HistoryRecorder;
import tidepool.history.MicroOp;

/**
 * Elle's list-append: transactions read lists and append unique numbers, so a list that was read tells the order of all
 * writes to it.
 *
 * <p>A fixed number of lists is in use at a time. A full list is no longer used and a new key takes its place: key k +
 * width follows key k. The first append to a key creates it.
 */
public final class ListAppend implements RecordedWorkload {
    final Tidepool pool;
    final Table<NumberList> lists;
    final int width;
    final int longest;

    /** For each lane, the number of the first list that had room when a client of this process looked last. */
    final AtomicLongArray firstWithRoom;

    /**
     * Opens the lists of a pool. Creates their table if there is none.
     *
     * @param width lists in use at a time
     * @param longest elements of a full list, 100 at most
     * @param rows number of keys for which the table has room
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
        this.firstWithRoom = new AtomicLongArray(width);
        lists = pool.table(name, NumberList.class, rows);
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
            long key = lane;
            for (; readOne(pen.recorder(), process, key); key += width) eventCounts.add("lists");
            if (key > lane) eventCounts.add("lists filled and left behind", (key - lane) / width - 1);
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
