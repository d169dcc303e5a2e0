package tidepool.node;

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
    /** The pool and the number of this node in it. A client that names another place is refused. */
    record Place(Id128 id, int number, int nodes) {}

    private final String name;
    private Place place;
    private long placedEpoch; // of the roster that gave the place; 0 before this process was shown a roster
    private final MemoryNode node;
    private final PoolJournal journal;
    private final Runnable release;
    private final Map<Integer, HostedSession> sessions = new TreeMap<>();
    private final List<ClientConnection> controls = new ArrayList<>();

    /** Session numbers that this node gave out and that no client used. */
    private final Queue<Integer> unusedNumbers = new ArrayDeque<>();

    /** @param journal null if the node has no journal */
    HostedPool(String name, Place place, MemoryNode node, PoolJournal journal, long nowNanos, Runnable release) {
        this.name = name;
        this.place = place;
        this.node = node;
        this.journal = journal;
        this.release = release;
        // Leases start anew with the node: no session could be heard while the node was down.
        for (int session : node.sessions().all()) sessions.put(session, left(session, nowNanos));
    }

    /** Makes a session of which only one thing is known: it may have changed memory. */
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

    /** Returns the epoch of the newest roster that was shown to this process; 0 if there was none. */
    long placedEpoch() {
        return placedEpoch;
    }

    /**
     * Sets the place of this node by a roster that is not older than what the node knows. From here on verbs of older
     * epochs and clients with an older roster are refused.
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

    /** Returns null if the node has no journal. */
    PoolJournal journal() {
        return journal;
    }

    /**
     * Returns the connections to this pool that are bound to no session. They are told which sessions are suspected.
     */
    List<ClientConnection> controls() {
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

    /** Returns a session number that stands in no record: a new one, or one that no client has used. */
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
     * Returns whether a session may attach under this number. The node that gives numbers out knows. The other nodes
     * trust the number of any client with the right to write.
     */
    boolean isGiven(int number) {
        return place.number != 0 || sessions.containsKey(number);
    }

    /**
     * Attaches a session by its secret. Returns null if the secret is wrong.
     *
     * @param reserved the number of session slots that must stay free
     */
    HostedSession attach(int number, long secretHigh, long secretLow, long pid, int reserved, long nowNanos) {
        HostedSession known = sessions.get(number);
        if (known != null && !known.isSecret(secretHigh, secretLow)) return null;
        int slot = node.sessions().attach(number, pid, node.epoch(), reserved);
        if (journal != null) {
            journal.slot(slot);
            journal.meta(NodeLayout.NEXT_SESSION); // attach may have raised it
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

    /** Called when a session has ended in order. */
    void detach(int number) {
        int slot = node.sessions().find(number);
        node.sessions().detach(number);
        if (journal != null) journal.slot(slot);
        sessions.remove(number);
    }

    /** Called when a dead session is recovered. */
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

    /** Revokes all sessions of before the restart, because verbs that were answered to them may be lost. */
    void revokeAll(long nowNanos) {
        for (int session : node.sessions().all()) revoke(session, nowNanos);
    }

    /**
     * Drops a session that is not in the node's session table: no client attached under its number, or it is recovered.
     * Returns whether it was dropped.
     */
    boolean dropIfUnused(int number) {
        if (node.sessions().find(number) >= 0) return false;
        HostedSession dropped = sessions.remove(number);
        if (dropped == null) return false;
        if (place.number == 0 && !dropped.isAttached() && !node.sessions().isOver(number)) unusedNumbers.add(number);
        return true;
    }

    /** Detaches a dead session that has changed nothing here. Returns false if it may have changed something. */
    boolean reclaim(HostedSession session) {
        if (session.isTouched() || !session.connections().isEmpty()) return false;
        detach(session.number());
        return true;
    }

    /** Called when the session may begin to change memory here. */
    void touch(int number) {
        HostedSession session = sessions.get(number);
        if (session != null) session.touch();
    }

    /**
     * Returns whether a number was given out, as far as this node can tell. Revoking a number that was not given out
     * would use up all numbers before it.
     */
    boolean mayRevoke(int number) {
        return place.number != 0 || number <= node.usedNumbers();
    }

    /** Returns whether a session waits for its recovery. */
    boolean hasDead() {
        for (HostedSession session : sessions.values())
            if (session.isSuspected() || node.sessions().isOver(session.number())) return true;
        return false;
    }

    /**
     * Marks a session revoked. Returns its earlier state, whose connections the caller cuts, or null. Until the session
     * is forgotten it stays in the list as one that is never heard again. If its recoverer dies, other clients are
     * therefore told that the session is suspected.
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

    /**
     * Returns whether a session is suspected, was revoked, or has ended in order. Only the node that gives numbers out
     * knows the last of these.
     */
    boolean isDead(int number) {
        if (node.sessions().isOver(number)) return true;
        HostedSession known = sessions.get(number);
        if (known != null) return known.isSuspected();
        return place.number == 0 && number < Words.acquire(node.meta(), NodeLayout.NEXT_SESSION);
    }

    long[] suspected() {
        return sessions.values().stream()
                .filter(HostedSession::isSuspected)
                .mapToLong(HostedSession::number)
                .toArray();
    }

    /** Releases the memory, when no verb and no other thread uses it any more. */
    void release() {
        release.run();
    }
}
