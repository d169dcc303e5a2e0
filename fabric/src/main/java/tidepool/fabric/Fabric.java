package tidepool.fabric;

import java.util.ServiceLoader;
import java.util.StringJoiner;

/**
 * A pool of memory nodes as one process sees it. A fabric carries verbs; it knows nothing of records.
 *
 * <p>A new fabric extends this class, {@link Session}, {@link Lane}, {@link Link} and {@link Region}, names itself by a
 * {@link FabricProvider}, and is done when its test extends {@code tidepool.check.FabricContract}.
 */
public abstract class Fabric implements AutoCloseable {
    private volatile FaultSites faultSites; // null but in tests

    protected Fabric() {}

    /**
     * Opens a pool by its URL: {@code mem:}, {@code shm:PATH}, {@code tcp://HOST:PORT,…}, {@code sim:SEED}; see
     * {@link FabricUrl}.
     */
    public static Fabric open(String url) {
        FabricUrl parsed = FabricUrl.parse(url);
        StringJoiner known = new StringJoiner(", ");
        for (FabricProvider provider : ServiceLoader.load(FabricProvider.class, Fabric.class.getClassLoader())) {
            if (provider.scheme().equals(parsed.scheme())) return provider.open(parsed);
            known.add(provider.scheme() + ":");
        }
        throw new IllegalArgumentException("unknown fabric '" + parsed.scheme() + ":' in " + url + "; known: " + known);
    }

    /** The name on the command line: {@code mem}, {@code shm}, {@code tcp}, {@code sim}. */
    public abstract String name();

    /** How many memory nodes there are, numbered from 0. */
    public abstract int nodes();

    /** A node's number, and its address where it has one, for sentences. */
    public String where(int node) {
        return "node " + node;
    }

    /** The orders that links of this fabric keep for free. */
    public abstract Orders orders();

    /** Bytes that a verb moves as one; 8, or 64 where a fabric promises whole lines. */
    public int atomicBytes() {
        return 8;
    }

    /** Whether somebody else than the caller carries out chained work: a NIC, or the loop of a memory node. */
    public boolean hasMemorySide() {
        return true;
    }

    /**
     * Whether what a node still has after a loss of power is what it had at some moment: each verb whole or not at all, and
     * nothing without everything that was carried out there before, by whatever session. So it is where a node keeps a
     * journal; lines of persistent memory survive in any order.
     */
    public boolean persistsInOrder() {
        return false;
    }

    /** Joins the pool under a new session number. May wait. */
    public abstract Session attach();

    /** The slow path to a memory node: regions, allocation, revocation, statistics. */
    public abstract NodeControl control(int node);

    /** Whether the process or machine behind a session is known to be dead. False is no proof of life. */
    public abstract boolean isDead(int session);

    /**
     * How long a session goes on to believe a node that was removed and lives, after it was shut out at any other node of this
     * fabric; 0 where nodes are never removed. Sessions of older rosters count: one of these nodes was in theirs.
     */
    public long believedNanos() {
        return 0;
    }

    /**
     * Whether other processes of this machine use the pool too, which may die while this one lives, and {@link #isDead}
     * is quick enough to be asked every millisecond.
     */
    public boolean isShared() {
        return false;
    }

    /**
     * The sessions that this fabric was told are dead and that nobody has recovered yet, where it is told without asking;
     * null where it has to be asked by {@link #isDead}, one by one. Costs nothing; not to be changed.
     */
    public int[] announcedDead() {
        return null;
    }

    /** Lets the process die where this says so, in rounds that are made from now on. For tests. */
    public final void faultSites(FaultSites sites) {
        faultSites = sites;
    }

    /** For rounds: where the process dies; null if nothing was said. */
    final FaultSites faultSites() {
        return faultSites;
    }

    /** Removes what dead processes left that belongs to no session, if this fabric has such things. */
    public void tidy() {}

    /**
     * Marks the pool as one that holds nothing. Where the pool lies in files, {@link #close} removes it then, unless
     * another living process has it open.
     */
    public void discard() {}

    /** Closes every session of this fabric that is still open. Closing twice does nothing. */
    @Override
    public abstract void close();
}
