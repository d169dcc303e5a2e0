package tidepool.tcp.node;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.memory.MemoryNode;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.MemoryNodeException.Reason;
import tidepool.memory.NodeLayout;

/** A pool of which this node is one of the memory nodes. Its sessions and leases belong to the node's loop. */
final class HostedPool {
    /** Which node of which pool this is; whoever names another one is refused. */
    record Place(Id128 id, int number, int nodes) {}

    private final String name;
    private Place place;
    private long placedEpoch; // of the roster that said so; 0 before there was one in this process
    private final MemoryNode node;
    private final PoolJournal journal;
    private final Runnable release;
    private final Map<Integer, HostedSession> sessions = new TreeMap<>();
    private final List<Connection> controls = new ArrayList<>();

    /** @param journal null if nothing is kept */
    HostedPool(String name, Place place, MemoryNode node, PoolJournal journal, long nowNanos, Runnable release) {
        this.name = name;
        this.place = place;
        this.node = node;
        this.journal = journal;
        this.release = release;
        // Clocks start anew with the node: nobody could be heard while it was away.
        for (int session : node.sessions().all()) sessions.put(session, new HostedSession(session, nowNanos));
    }

    String name() {
        return name;
    }

    Place place() {
        return place;
    }

    /** The epoch of the newest roster that was shown here; 0 if there was none yet. */
    long placedEpoch() {
        return placedEpoch;
    }

    /**
     * By a roster that is not older than what the node knows: from here on verbs of older epochs are refused, and so is
     * whoever comes with an older roster.
     */
    void place(int number, int nodes, long epoch) {
        raiseEpoch(epoch);
        place = new Place(place.id, number, nodes);
        placedEpoch = epoch;
        if (journal != null) journal.placed(place);
    }

    MemoryNode node() {
        return node;
    }

    /** Null if nothing is kept. */
    PoolJournal journal() {
        return journal;
    }

    /** Connections to this pool that are bound to no session: they are told who is suspected. */
    List<Connection> controls() {
        return controls;
    }

    Collection<HostedSession> sessions() {
        return sessions.values();
    }

    int sessionCount() {
        return sessions.size();
    }

    HostedSession session(int number) {
        return sessions.get(number);
    }

    int nextSession(long nowNanos) {
        if (sessions.size() >= 2 * NodeLayout.SESSIONS)
            throw new MemoryNodeException(Reason.FULL, "too many sessions of this pool were begun and not ended");
        int number = node.nextSession();
        if (journal != null) journal.meta(NodeLayout.NEXT_SESSION);
        sessions.put(number, new HostedSession(number, nowNanos));
        return number;
    }

    /** Lets a session in by its secret; null if it is the wrong one. */
    HostedSession attach(int number, long secretHigh, long secretLow, long pid, long nowNanos) {
        HostedSession known = sessions.get(number);
        if (known != null && !known.isSecret(secretHigh, secretLow)) return null;
        int slot = node.sessions().attach(number, pid, node.epoch());
        if (journal != null) {
            journal.slot(slot);
            journal.meta(NodeLayout.NEXT_SESSION); // it may have been raised
        }
        if (known != null) return known;
        HostedSession fresh = new HostedSession(number, nowNanos);
        fresh.isSecret(secretHigh, secretLow);
        sessions.put(number, fresh);
        return fresh;
    }

    /** The session has left by itself. */
    void detach(int number) {
        int slot = node.sessions().find(number);
        node.sessions().detach(number);
        if (journal != null) journal.slot(slot);
        sessions.remove(number);
    }

    /** Everything that it left is repaired. */
    void forget(int number) {
        int slot = node.sessions().find(number);
        node.sessions().forget(number);
        if (journal != null) journal.slot(slot);
        dropIfUnused(number);
    }

    void raiseEpoch(long epoch) {
        node.raiseEpoch(epoch);
        if (journal != null) journal.meta(NodeLayout.EPOCH);
    }

    /** Whoever was in before the node came back is not any more: what was answered may be lost. */
    void revokeAll(long nowNanos) {
        for (int session : node.sessions().all()) revoke(session, nowNanos);
    }

    /** Forgets a number that the node's table does not know: nobody came under it, or all of it is recovered. */
    boolean dropIfUnused(int number) {
        return node.sessions().find(number) < 0 && sessions.remove(number) != null;
    }

    /**
     * Marks it; returns what is known of it, for cutting its connections, or null. Until it is forgotten it stays on the
     * list, as one that is never heard again: should whoever revoked it die over its recovery, others are told of it.
     */
    HostedSession revoke(int number, long nowNanos) {
        node.sessions().revoke(number);
        if (journal != null) {
            journal.meta(NodeLayout.over(number));
            journal.slot(node.sessions().find(number));
        }
        HostedSession before = sessions.remove(number);
        if (node.sessions().find(number) >= 0) {
            HostedSession left = new HostedSession(number, nowNanos);
            if (before != null && before.isSuspected()) left.suspect();
            sessions.put(number, left);
        }
        return before;
    }

    /** Whether it is suspected, was revoked, or has left; only the node that gives numbers out knows the last. */
    boolean isDead(int number) {
        if (node.sessions().isOver(number)) return true;
        HostedSession known = sessions.get(number);
        if (known != null) return known.isSuspected();
        return place.number == 0 && number < Words.acquire(node.meta(), NodeLayout.NEXT_SESSION);
    }

    int suspects() {
        int count = 0;
        for (HostedSession session : sessions.values()) if (session.isSuspected()) count++;
        return count;
    }

    long[] suspected() {
        return sessions.values().stream()
                .filter(HostedSession::isSuspected)
                .mapToLong(HostedSession::number)
                .toArray();
    }

    /** Gives the memory back; nobody looks at it any more. */
    void release() {
        release.run();
    }
}
