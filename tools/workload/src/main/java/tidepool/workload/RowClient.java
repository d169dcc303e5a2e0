package tidepool.workload;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tidepool.ConflictException;
import tidepool.Rollback;
import tidepool.Transaction;
import tidepool.UnknownOutcomeException;
import tidepool.base.Clock;
import tidepool.base.Randomness;
import tidepool.history.MicroOp;
import tidepool.store.StoreException;

/**
 * A client that runs transactions on {@link RowsWorkload} and records every attempt: just before the commit, the
 * versions that it read and is going to write, and then its outcome.
 */
final class RowClient implements RecordedWorkload.Client {
    private static final int NONE = 0;

    private final RowsWorkload rows;
    private final RecordedWorkload.Pen pen;
    private final Randomness random;
    private final TxnTally tally = new TxnTally("rows");
    private final EventCounts eventCounts = new EventCounts();
    /** Rows that existed at some time, as far as this client knows. */
    private final Set<Long> known = new HashSet<>();

    private long process;
    /** The attempt whose outcome is not recorded yet. */
    private int ticket = NONE;

    private List<MicroOp> seen = List.of();
    private long ownWritesSeen;
    private Transaction last;

    RowClient(RowsWorkload rows, RecordedWorkload.Pen pen, Randomness random) {
        this.rows = rows;
        this.pen = pen;
        this.random = random;
        this.process = pen.processes().getAsLong();
    }

    @Override
    public void next() {
        boolean onRecords = random.nextBoolean();
        List<RowStep> steps = onRecords ? RowStep.drawRepeating(random, rows.keys) : RowStep.draw(random, rows.keys);
        boolean givesUp = random.chance(1, 20);
        long start = Clock.current().nowNanos();
        try {
            rows.pool.transact(tx -> attempt(tx, steps, onRecords, givesUp));
            pen.recorder().ok(ticket);
            ticket = NONE;
            tally.committed(Clock.current().nowNanos() - start, last.roundTrips());
            count();
        } catch (Rollback e) {
            failed();
            tally.rolledBack();
        } catch (ConflictException e) {
            failed();
            tally.gaveUp();
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.FULL) throw e;
            failed();
            eventCounts.add("table full");
        } catch (UnknownOutcomeException e) {
            pen.recorder().info(ticket);
            ticket = NONE;
            process = pen.processes().getAsLong();
            eventCounts.add("unknown outcomes");
        }
    }

    /** Runs one attempt. A call for another attempt means that the previous one did not happen. */
    private void attempt(Transaction tx, List<RowStep> steps, boolean onRecords, boolean givesUp) {
        failed();
        last = tx;
        long begun = pen.recorder().tick();
        RowAttempt attempt = new RowAttempt(rows, tx);
        boolean executed = onRecords ? attempt.runOnRecords(steps) : attempt.run(steps);
        ownWritesSeen = attempt.ownWritesSeen();
        seen = executed ? attempt.operations() : RowStep.intentions(steps, tx.id());
        ticket = pen.recorder().invoke(process, begun, seen);
        if (executed && givesUp) throw new Rollback("as planned");
    }

    private void failed() {
        if (ticket == NONE) return;
        pen.recorder().fail(ticket);
        ticket = NONE;
        eventCounts.add("attempts that failed");
    }

    private void count() {
        eventCounts.add("own writes met again", ownWritesSeen);
        for (MicroOp op : seen) {
            switch (op) {
                case MicroOp.Read read -> eventCounts.add("rows read");
                case MicroOp.NotFound missing -> eventCounts.add("rows not found");
                case MicroOp.Write update -> eventCounts.add("updates");
                case MicroOp.Remove removal -> eventCounts.add("deletes");
                case MicroOp.Insert insert -> {
                    eventCounts.add("inserts");
                    if (known.contains(op.key())) eventCounts.add("re-inserts");
                }
                default -> throw new IllegalStateException("not an operation on rows: " + op);
            }
            if (!(op instanceof MicroOp.NotFound)) known.add(op.key());
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
