package tidepool.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tidepool.base.Words;
import tidepool.fabric.OrderTable;
import tidepool.fabric.VerbKind;
import tidepool.memory.AccessCode;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeLayout;
import tidepool.memory.NodeRegion;
import tidepool.memory.OpenRegions;
import tidepool.memory.SessionTable;

/**
 * One life of a link, from connecting until it breaks. It keeps two lists of its verbs in the order of posting. The
 * order table applies to the first: verbs that have not completely taken effect at the node. Fences and failures use
 * the second: verbs whose answer the requester has not seen.
 */
final class SimConnection implements OpenRegions {
    private static final boolean[][] KEEPS = new boolean[VerbKind.count()][VerbKind.count()];

    static {
        for (int i = 0; i < KEEPS.length; i++)
            for (int j = 0; j < KEEPS.length; j++) KEEPS[i][j] = OrderTable.RDMA.keeps(VerbKind.of(i), VerbKind.of(j));
    }

    final SimLink link;
    private final MemoryNode memory;
    private final long epoch;
    private final long stateAt;
    private final long attachedWord;
    final int nodeLife;
    final List<SimRegion> regions = new ArrayList<>();

    /** Whether the requester knows that it is broken. */
    boolean broken;

    /** Whether the node has refused a verb: all verbs that arrive on it from now on are not done. */
    boolean brokenAtNode;

    private VerbInFlight firstUnapplied;
    private VerbInFlight lastUnapplied;
    VerbInFlight firstUnanswered;
    private VerbInFlight lastUnanswered;
    private long posted;
    int held;

    /** The time when the last verb left: a send queue is processed in order. */
    long lastDepartureNanos;

    /** The first dropped verb of each kind. Verbs that depend on it are dropped as well. */
    private long[] firstDropped;

    SimConnection(SimLink link, MemoryNode memory, int slot, long epoch, int nodeLife) {
        this.link = link;
        this.memory = memory;
        this.epoch = epoch;
        this.stateAt = SessionTable.stateOffset(slot);
        this.attachedWord = SessionTable.attachedWord(link.lane().session().number());
        this.nodeLife = nodeLife;
    }

    /** Checks whether the session may still send verbs to this node under this connection's epoch. */
    int access() {
        boolean attached = Words.plain(memory.meta(), stateAt) == attachedWord;
        return attached && Words.plain(memory.meta(), NodeLayout.EPOCH) <= epoch
                ? AccessCode.GRANTED
                : AccessCode.EPOCH;
    }

    @Override
    public NodeRegion byNumber(int regionNumber) {
        for (int i = 0; i < regions.size(); i++) { // no iterator: chained work is a fast path
            NodeRegion opened = regions.get(i).opened;
            if (opened.number() == regionNumber && opened.isLive()) return opened;
        }
        return null;
    }

    // ---- order

    void add(VerbInFlight flight) {
        flight.number = posted++;
        flight.olderUnapplied = lastUnapplied;
        flight.newerUnapplied = null;
        if (lastUnapplied == null) firstUnapplied = flight;
        else lastUnapplied.newerUnapplied = flight;
        lastUnapplied = flight;
        flight.inUnapplied = true;

        flight.olderUnanswered = lastUnanswered;
        flight.newerUnanswered = null;
        if (lastUnanswered == null) firstUnanswered = flight;
        else lastUnanswered.newerUnanswered = flight;
        lastUnanswered = flight;
        flight.inUnanswered = true;
    }

    /** Returns whether every verb that must come first has completely taken effect. */
    boolean mayTakeEffect(VerbInFlight flight) {
        for (VerbInFlight older = firstUnapplied; older != flight; older = older.newerUnapplied)
            if (flight.fenced || KEEPS[older.kind.ordinal()][flight.kind.ordinal()]) return false;
        return true;
    }

    boolean passesOthers(VerbInFlight flight) {
        return firstUnapplied != flight;
    }

    /** Called when a verb has completely taken effect, or never will. */
    void removeUnapplied(VerbInFlight flight) {
        if (!flight.inUnapplied) return;
        flight.inUnapplied = false;
        VerbInFlight older = flight.olderUnapplied;
        VerbInFlight newer = flight.newerUnapplied;
        if (older == null) firstUnapplied = newer;
        else older.newerUnapplied = newer;
        if (newer == null) lastUnapplied = older;
        else newer.olderUnapplied = older;
        flight.olderUnapplied = null;
        flight.newerUnapplied = null;
        for (VerbInFlight waiting = newer; waiting != null; waiting = waiting.newerUnapplied) {
            if (!waiting.waitsForOrder || !mayTakeEffect(waiting)) continue;
            waiting.waitsForOrder = false;
            waiting.at(link.simulation().eventNanos(), VerbInFlight.EFFECT);
        }
    }

    // ---- answers

    void removeUnanswered(VerbInFlight flight) {
        if (!flight.inUnanswered) return;
        flight.inUnanswered = false;
        VerbInFlight older = flight.olderUnanswered;
        VerbInFlight newer = flight.newerUnanswered;
        if (older == null) firstUnanswered = newer;
        else older.newerUnanswered = newer;
        if (newer == null) lastUnanswered = older;
        else newer.olderUnanswered = older;
        flight.olderUnanswered = null;
        flight.newerUnanswered = null;
        if (flight.held) {
            flight.held = false;
            held--;
        }
    }

    /** Returns whether its fence has to wait: an earlier verb that it could pass has not been answered. */
    boolean fenceWaits(VerbInFlight flight) {
        if (!flight.fenced) return false;
        for (VerbInFlight older = firstUnanswered; older != flight; older = older.newerUnanswered)
            if (!KEEPS[older.kind.ordinal()][flight.kind.ordinal()]) return true;
        return false;
    }

    // ---- dropping: of verbs that were sent and not applied, any subset that the order table allows takes effect

    void noteDropped(VerbInFlight flight) {
        if (firstDropped == null) {
            firstDropped = new long[VerbKind.count()];
            Arrays.fill(firstDropped, Long.MAX_VALUE);
        }
        int kind = flight.kind.ordinal();
        firstDropped[kind] = Math.min(firstDropped[kind], flight.number);
    }

    /** Returns whether a verb was dropped that this one must not overtake. */
    boolean dependsOnDropped(VerbInFlight flight) {
        if (firstDropped == null) return false;
        for (int kind = 0; kind < firstDropped.length; kind++)
            if (firstDropped[kind] < flight.number && (flight.fenced || KEEPS[kind][flight.kind.ordinal()]))
                return true;
        return false;
    }
}
