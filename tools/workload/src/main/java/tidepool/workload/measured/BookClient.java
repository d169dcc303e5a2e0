package tidepool.workload.measured;

import java.util.Arrays;
import tidepool.base.Randomness;
import tidepool.txn.Txn;

/**
 * The common part of all clients. Each draws from its own random stream, and keeps the notes of an attempt apart from
 * the book until the attempt is known to have committed.
 */
public abstract class BookClient implements WorkloadClient {
    protected final Randomness random;
    private final long[] book;
    private final long[] attempt;
    private boolean missed;

    /**
     * @param entries of the book
     * @param number of the client
     * @param seed of the run
     */
    protected BookClient(int entries, int number, long seed) {
        book = new long[entries];
        attempt = new long[entries];
        random = new Randomness(seed).fork("client " + number);
    }

    @Override
    public final boolean run(Txn txn) {
        Arrays.fill(attempt, 0);
        missed = false;
        return attempt(txn);
    }

    /** Runs one attempt, see {@link WorkloadClient#run}. */
    protected abstract boolean attempt(Txn txn);

    /** Notes a change by this attempt, for the book. */
    protected final void note(int entry, long amount) {
        attempt[entry] += amount;
    }

    /** Notes that this attempt ends in a failure that the specification expects of some. */
    protected final void miss() {
        missed = true;
    }

    @Override
    public void committed() {
        for (int i = 0; i < book.length; i++) book[i] += attempt[i];
    }

    @Override
    public void gaveUp() {}

    @Override
    public final boolean missed() {
        return missed;
    }

    @Override
    public final long[] book() {
        return book;
    }
}
