package tidepool.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * A pool of memory nodes as one process sees it. A fabric carries verbs; it knows nothing of records.
 *
 * <p>A new fabric extends this class, {@link Session}, {@link Lane}, {@link Link} and {@link Region}, names itself by a
 * {@link FabricProvider}, and is done when its test extends {@code tidepool.contracts.FabricContract}.
 */
public abstract class Fabric implements AutoCloseable {
    private static final Map<String, String> ARTIFACTS =
            Map.of("tcp", "tidepool-tcp", "sim", "tidepool-sim", "zk", "tidepool-zookeeper");

    private volatile FaultSites faultSites; // null except in tests

    protected Fabric() {}

    /**
     * Opens a pool by its URL: {@code mem:}, {@code shm:PATH}, {@code tcp://HOST:PORT,…}, {@code sim:SEED}; see
     * {@link FabricUrl}.
     */
    public static Fabric open(String url) {
        FabricUrl parsed = FabricUrl.parse(url);
        for (FabricProvider provider : ServiceLoader.load(FabricProvider.class, Fabric.class.getClassLoader()))
            if (provider.scheme().equals(parsed.scheme())) return provider.open(parsed);
        throw unknown(parsed, schemes());
    }

    /** Returns the refusal of a URL whose scheme has no provider. It names the published artifact that has one. */
    public static IllegalArgumentException unknown(FabricUrl url, List<String> known) {
        String artifact = ARTIFACTS.get(url.scheme());
        return new IllegalArgumentException("unknown fabric '" + url.scheme() + ":' in " + url.text() + "; known: "
                + String.join(", ", known) + (artifact == null ? "" : "; add dev.tidepool:" + artifact));
    }

    /** Returns the URL prefixes that {@link #open} understands, such as {@code mem:}. */
    public static List<String> schemes() {
        List<String> all = new ArrayList<>();
        for (FabricProvider provider : ServiceLoader.load(FabricProvider.class, Fabric.class.getClassLoader()))
            all.add(provider.scheme() + ":");
        return all;
    }

    /** Returns the name on the command line: {@code mem}, {@code shm}, {@code tcp}, {@code sim}. */
    public abstract String name();

    /** Returns the number of memory nodes. They are numbered from 0. */
    public abstract int nodes();

    /** Returns the number of a node, and its address if it has one, for messages. */
    public String where(int node) {
        return "node " + node;
    }

    /** Returns the orders that links of this fabric keep without a fence. */
    public abstract OrderTable orders();

    /** Returns the number of bytes that a verb moves atomically: 8, or 64 if the fabric promises whole cache lines. */
    public int atomicBytes() {
        return 8;
    }

    /** Returns whether a NIC or the loop of a memory node executes chained work, and not the caller itself. */
    public boolean hasMemorySide() {
        return true;
    }

    /**
     * Returns whether the memory that a node has after a loss of power equals its memory at some earlier moment. Then
     * each verb is there completely or not at all, and only together with all verbs of any session that were executed
     * there before. A node with a journal has this property. Lines of persistent memory survive in any order.
     */
    public boolean persistsInOrder() {
        return false;
    }

    /** Joins the pool under a new session number. May wait. */
    public abstract Session attach();

    /** Returns the slow path to a memory node: regions, allocation, revocation, statistics. */
    public abstract NodeControl control(int node);

    /** Returns whether the process or machine of a session is known to be dead. False does not prove that it lives. */
    public abstract boolean isDead(int session);

    /**
     * Returns how long a session still trusts a node that was removed and lives, after the session was revoked at any
     * other node of this fabric; 0 if nodes are never removed. Sessions of older rosters count: one of these nodes was
     * in theirs.
     */
    public long believedNanos() {
        return 0;
    }

    /**
     * Returns whether other processes of this machine also use the pool, which may die while this one lives, and
     * {@link #isDead} is fast enough for a call every millisecond.
     */
    public boolean isShared() {
        return false;
    }

    /**
     * Returns whether a session can be revoked while its process lives. Where it cannot, {@link NodeControl#revoke}
     * waits for the end of the process, or until that process has itself revoked the session at all nodes.
     */
    public boolean revokesLiving() {
        return true;
    }

    /**
     * Returns the sessions that were announced to this fabric as dead and are not yet recovered. Returns null if the
     * fabric gets no announcements: then {@link #isDead} has to be asked for each session. Costs nothing; callers must
     * not change the array.
     */
    public int[] announcedDead() {
        return null;
    }

    /** Sets where the process dies, in rounds that are made from now on. For tests. */
    public final void faultSites(FaultSites sites) {
        faultSites = sites;
    }

    /** Returns where the process dies, for rounds; null if it was not set. */
    final FaultSites faultSites() {
        return faultSites;
    }

    /** Removes remains of dead processes that belong to no session, if this fabric has such remains. */
    public void tidy() {}

    /**
     * Marks the pool as empty. If the pool lies in files, {@link #close} then removes it, unless another living process
     * has it open.
     */
    public void discard() {}

    /** Closes every session of this fabric that is still open. Closing twice does nothing. */
    @Override
    public abstract void close();
}
