package tidepool.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Checks;
import tidepool.base.Randomness;
import tidepool.check.history.HistoryRecorder;
import tidepool.check.history.MicroOp;

/**
 * Elle's list-append: transactions read lists and append numbers that nobody else appends, so that a list that was read
 * tells the order of everything that was written to it.
 *
 * <p>There are so many lists in use at a time. One that is full is left behind and a new key takes its place: key k + width
 * follows key k. A key comes into being when somebody first appends to it.
 */
public final class ListAppend implements RecordedWorkload {
    final Tidepool pool;
    final Table<Numbers> lists;
    final int width;
    final int longest;

    /** Of each lane, the number of the first list that had room when a client of this process looked last. */
    final AtomicLongArray firstWithRoom;

    /**
     * The lists of a pool; their table is made if there is none.
     *
     * @param width lists in use at a time
     * @param longest elements after which a list is full, 100 at most
     * @param rows how many keys there is room for
     */
    public ListAppend(Tidepool pool, int width, int longest, int rows) {
        this(pool, "lists", width, longest, rows);
    }

    /** The same with a table of another name. */
    public ListAppend(Tidepool pool, String name, int width, int longest, int rows) {
        Checks.argument(longest >= 1 && longest <= Numbers.MOST, "a list has 1 to " + Numbers.MOST + " elements");
        Checks.argument(width >= 1, "one list or more in use");
        this.pool = pool;
        this.width = width;
        this.longest = longest;
        this.firstWithRoom = new AtomicLongArray(width);
        lists = pool.table(name, Numbers.class, rows);
    }

    @Override
    public Client client(Pen pen, Randomness random) {
        return new Appender(this, pen, random);
    }

    @Override
    public Facts readAll(Pen pen) {
        Facts facts = new Facts();
        long process = pen.processes().getAsLong();
        for (int lane = 0; lane < width; lane++) {
            long key = lane;
            for (; readOne(pen.recorder(), process, key); key += width) facts.add("lists");
            if (key > lane) facts.add("lists filled and left behind", (key - lane) / width - 1);
        }
        return facts;
    }

    /** The same under one process number. Answers how many keys there are. */
    public int readAll(HistoryRecorder recorder, long process) {
        return (int) readAll(new Pen(recorder, () -> process)).count("lists");
    }

    private boolean readOne(HistoryRecorder recorder, long process, long key) {
        List<MicroOp> seen = new ArrayList<>();
        int ticket = recorder.invoke(process, List.of(MicroOp.read(key)));
        Numbers found = pool.<Numbers>compute(tx -> lists.get(tx, key));
        seen.add(MicroOp.readList(key, found == null ? new long[0] : found.elements()));
        recorder.ok(ticket, seen);
        return found != null;
    }
}
