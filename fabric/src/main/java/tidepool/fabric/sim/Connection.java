package tidepool.fabric.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tidepool.base.Words;
import tidepool.fabric.Orders;
import tidepool.fabric.VerbKind;
import tidepool.memory.Access;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeLayout;
import tidepool.memory.NodeRegion;
import tidepool.memory.OpenRegions;
import tidepool.memory.SessionTable;

/**
 * One life of a link, from connecting until it breaks. It keeps two lists of its verbs in the order of posting: those
 * that have not wholly taken effect at the node, which order goes by, and those whose answer the requester has not seen,
 * which fences and failures go by.
 */
final class Connection implements OpenRegions {
    private static final boolean[][] KEEPS = new boolean[VerbKind.count()][VerbKind.count()];

    static {
        for (int i = 0; i < KEEPS.length; i++)
            for (int j = 0; j < KEEPS.length; j++) KEEPS[i][j] = Orders.RDMA.keeps(VerbKind.of(i), VerbKind.of(j));
    }

    final SimLink link;
    private final MemoryNode memory;
    private final long epoch;
    private final long stateAt;
    private final long attachedWord;
    final int nodeLife;
    final List<SimRegion> regions = new ArrayList<>();

    /** The requester knows that it is broken. */
    boolean broken;

    /** The node has refused a verb: whatever arrives on it from now on is not done. */
    boolean brokenAtNode;

    private Flight firstUnapplied;
    private Flight lastUnapplied;
    Flight firstUnanswered;
    private Flight lastUnanswered;
    private long posted;
    int held;

    /** When the last verb left: a send queue is worked off in order. */
    long lastDepartureNanos;

    /** The first verb of each kind that was dropped on its way; whatever depends on it is dropped as well. */
    private long[] firstDropped;

    Connection(SimLink link, MemoryNode memory, int slot, long epoch, int nodeLife) {
        this.link = link;
        this.memory = memory;
        this.epoch = epoch;
        this.stateAt = SessionTable.stateOffset(slot);
        this.attachedWord = SessionTable.attachedWord(link.lane().session().number());
        this.nodeLife = nodeLife;
    }

    /** Whether the session may still send verbs to this node under this connection's epoch. */
    int access() {
        boolean attached = Words.plain(memory.meta(), stateAt) == attachedWord;
        return attached && Words.plain(memory.meta(), NodeLayout.EPOCH) <= epoch ? Access.GRANTED : Access.EPOCH;
    }

    @Override
    public NodeRegion byNumber(int regionNumber) {
        for (int i = 0; i < regions.size(); i++) { // no iterator: chained work is hot
            NodeRegion opened = regions.get(i).opened;
            if (opened.number() == regionNumber && opened.isLive()) return opened;
        }
        return null;
    }

    // ---- order

    void add(Flight flight) {
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

    /** Whether every verb that must come first has wholly taken effect. */
    boolean mayTakeEffect(Flight flight) {
        for (Flight older = firstUnapplied; older != flight; older = older.newerUnapplied)
            if (flight.fenced || KEEPS[older.kind.ordinal()][flight.kind.ordinal()]) return false;
        return true;
    }

    boolean passesOthers(Flight flight) {
        return firstUnapplied != flight;
    }

    /** It has wholly taken effect, or never will. */
    void removeUnapplied(Flight flight) {
        if (!flight.inUnapplied) return;
        flight.inUnapplied = false;
        Flight older = flight.olderUnapplied;
        Flight newer = flight.newerUnapplied;
        if (older == null) firstUnapplied = newer;
        else older.newerUnapplied = newer;
        if (newer == null) lastUnapplied = older;
        else newer.olderUnapplied = older;
        flight.olderUnapplied = null;
        flight.newerUnapplied = null;
        for (Flight waiting = newer; waiting != null; waiting = waiting.newerUnapplied) {
            if (!waiting.waitsForOrder || !mayTakeEffect(waiting)) continue;
            waiting.waitsForOrder = false;
            waiting.at(link.simulation().eventNanos(), Flight.EFFECT);
        }
    }

    // ---- answers

    void removeUnanswered(Flight flight) {
        if (!flight.inUnanswered) return;
        flight.inUnanswered = false;
        Flight older = flight.olderUnanswered;
        Flight newer = flight.newerUnanswered;
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

    /** Whether its fence has to wait: an earlier verb that could be passed has not been answered. */
    boolean fenceWaits(Flight flight) {
        if (!flight.fenced) return false;
        for (Flight older = firstUnanswered; older != flight; older = older.newerUnanswered)
            if (!KEEPS[older.kind.ordinal()][flight.kind.ordinal()]) return true;
        return false;
    }

    // ---- dropping: what was sent and not applied leaves any subset that the order table allows

    void noteDropped(Flight flight) {
        if (firstDropped == null) {
            firstDropped = new long[VerbKind.count()];
            Arrays.fill(firstDropped, Long.MAX_VALUE);
        }
        int kind = flight.kind.ordinal();
        firstDropped[kind] = Math.min(firstDropped[kind], flight.number);
    }

    /** Whether something it must not overtake was dropped. */
    boolean dependsOnDropped(Flight flight) {
        if (firstDropped == null) return false;
        for (int kind = 0; kind < firstDropped.length; kind++)
            if (firstDropped[kind] < flight.number && (flight.fenced || KEEPS[kind][flight.kind.ordinal()]))
                return true;
        return false;
    }
}
