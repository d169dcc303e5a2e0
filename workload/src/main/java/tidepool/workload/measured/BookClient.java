package tidepool.workload.measured;

import java.util.Arrays;
import tidepool.base.Randomness;
import tidepool.protocol.Txn;

/**
 * What all clients do alike: they draw from a stream of their own, and note what an attempt did apart from the book until
 * it is known that the attempt has committed.
 */
public abstract class BookClient implements Client {
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

    /** One attempt, see {@link Client#run}. */
    protected abstract boolean attempt(Txn txn);

    /** Notes what this attempt does, for the book. */
    protected final void note(int entry, long amount) {
        attempt[entry] += amount;
    }

    /** Notes that this attempt ends as the specification expects of some. */
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
