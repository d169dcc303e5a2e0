package tidepool.tcp.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
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

    /** Given out by this node, and never come back. */
    private final Queue<Integer> unusedNumbers = new ArrayDeque<>();

    /** @param journal null if nothing is kept */
    HostedPool(String name, Place place, MemoryNode node, PoolJournal journal, long nowNanos, Runnable release) {
        this.name = name;
        this.place = place;
        this.node = node;
        this.journal = journal;
        this.release = release;
        // Clocks start anew with the node: nobody could be heard while it was away.
        for (int session : node.sessions().all()) sessions.put(session, left(session, nowNanos));
    }

    /** A session that may have left something, and of which nothing else is known. */
    private static HostedSession left(int number, long nowNanos) {
        HostedSession session = new HostedSession(number, nowNanos);
        session.touch();
        return session;
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

    /** A number that stands in no record: a fresh one, or one under which no client came. */
    int nextSession(long nowNanos) {
        if (sessions.size() >= 2 * NodeLayout.SESSIONS)
            throw new MemoryNodeException(Reason.FULL, "too many sessions of this pool were begun and not ended");
        Integer unused = unusedNumbers.poll();
        int number = unused != null ? unused : node.nextSession();
        if (unused == null && journal != null) journal.meta(NodeLayout.NEXT_SESSION);
        sessions.put(number, new HostedSession(number, nowNanos));
        return number;
    }

    /**
     * Whether a session may come under this number. The node that gives numbers out knows. The others believe clients
     * with
     * the right to write, who are trusted with the pool.
     */
    boolean isGiven(int number) {
        return place.number != 0 || sessions.containsKey(number);
    }

    /**
     * Lets a session in by its secret; null if it is the wrong one.
     *
     * @param reserved slots that it must leave free
     */
    HostedSession attach(int number, long secretHigh, long secretLow, long pid, int reserved, long nowNanos) {
        HostedSession known = sessions.get(number);
        if (known != null && !known.isSecret(secretHigh, secretLow)) return null;
        int slot = node.sessions().attach(number, pid, node.epoch(), reserved);
        if (journal != null) {
            journal.slot(slot);
            journal.meta(NodeLayout.NEXT_SESSION); // it may have been raised
        }
        if (known != null) {
            known.attached();
            return known;
        }
        HostedSession fresh = new HostedSession(number, nowNanos);
        fresh.isSecret(secretHigh, secretLow);
        fresh.attached();
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

    /** Forgets a number that the node's table does not know: no client came under it, or all of it is recovered. */
    boolean dropIfUnused(int number) {
        if (node.sessions().find(number) >= 0) return false;
        HostedSession dropped = sessions.remove(number);
        if (dropped == null) return false;
        if (place.number == 0 && !dropped.isAttached() && !node.sessions().isOver(number)) unusedNumbers.add(number);
        return true;
    }

    /** Lets a dead session go that has left nothing here, as if it had left by itself. False if it may have. */
    boolean reclaim(HostedSession session) {
        if (session.isTouched() || !session.connections().isEmpty()) return false;
        detach(session.number());
        return true;
    }

    /** The session may have left something here from now on. */
    void touch(int number) {
        HostedSession session = sessions.get(number);
        if (session != null) session.touch();
    }

    /** Whether a number was given out, as far as this node can tell: revoking a later one uses up all before it. */
    boolean mayRevoke(int number) {
        return place.number != 0 || number <= node.usedNumbers();
    }

    /** Whether a session waits for its recovery. */
    boolean hasDead() {
        for (HostedSession session : sessions.values())
            if (session.isSuspected() || node.sessions().isOver(session.number())) return true;
        return false;
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
            HostedSession left = left(number, nowNanos);
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
