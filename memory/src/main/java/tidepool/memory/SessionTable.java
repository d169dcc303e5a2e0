package tidepool.memory;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.memory.MemoryNodeException.Reason;

/**
 * Which sessions a node serves. One word per session says number and state, so that the check before a verb is one read,
 * and revoking is one swap.
 */
public final class SessionTable {
    private final MemorySegment meta;

    SessionTable(MemorySegment meta) {
        this.meta = meta;
    }

    /** What the slot's state word is while this session may send verbs. */
    public static long attachedWord(int session) {
        return (long) session << 8 | NodeLayout.SESSION_ATTACHED;
    }

    private static long revokedWord(int session) {
        return (long) session << 8 | NodeLayout.SESSION_REVOKED;
    }

    /** Lets a session in; returns its slot. Refused once it was revoked here, until it is forgotten for good. */
    public int attach(int session, long pid, long epoch) {
        int known = find(session);
        if (known >= 0) {
            if (state(known) == attachedWord(session)) return known;
            throw new MemoryNodeException(Reason.KEY, "session " + session + " was revoked");
        }
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++) {
            long at = NodeLayout.session(slot);
            if (Words.acquire(meta, at + NodeLayout.SESSION_STATE) != 0) continue;
            if (Words.compareAndSwap(meta, at + NodeLayout.SESSION_STATE, 0, attachedWord(session)) != 0) continue;
            Words.release(meta, at + NodeLayout.SESSION_PID, pid);
            Words.release(meta, at + NodeLayout.SESSION_EPOCH, epoch);
            return slot;
        }
        throw new MemoryNodeException(
                Reason.FULL, "all " + NodeLayout.SESSIONS + " session slots are taken; recover or forget dead sessions");
    }

    /** The word to compare with {@link #attachedWord}. */
    public long state(int slot) {
        return Words.acquire(meta, NodeLayout.session(slot) + NodeLayout.SESSION_STATE);
    }

    /** Where that word lies in the node's meta memory. */
    public static long stateOffset(int slot) {
        return NodeLayout.session(slot) + NodeLayout.SESSION_STATE;
    }

    /** The slot of a session, attached or revoked; -1 if it is not known here. */
    public int find(int session) {
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++) if (state(slot) >>> 8 == session) return slot;
        return -1;
    }

    /** Marks a session revoked; whoever calls must then see to it that nothing of it is still under way. */
    public void revoke(int session) {
        int slot = find(session);
        if (slot < 0) return;
        Words.compareAndSwap(meta, stateOffset(slot), attachedWord(session), revokedWord(session));
    }

    public boolean isRevoked(int session) {
        int slot = find(session);
        return slot >= 0 && state(slot) == revokedWord(session);
    }

    /** The process of a session, for people; 0 if it is not known here. */
    public long pid(int session) {
        int slot = find(session);
        return slot < 0 ? 0 : Words.acquire(meta, NodeLayout.session(slot) + NodeLayout.SESSION_PID);
    }

    /** A session leaves by itself. */
    public void detach(int session) {
        clear(session, attachedWord(session));
    }

    /** Drops what is remembered of a revoked session. */
    public void forget(int session) {
        clear(session, revokedWord(session));
    }

    /** Every session attached or revoked. */
    public int[] all() {
        int[] found = new int[NodeLayout.SESSIONS];
        int count = 0;
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++) {
            long state = state(slot);
            if (state != 0) found[count++] = (int) (state >>> 8);
        }
        return java.util.Arrays.copyOf(found, count);
    }

    int attached() {
        return countState(NodeLayout.SESSION_ATTACHED);
    }

    int revoked() {
        return countState(NodeLayout.SESSION_REVOKED);
    }

    private int countState(long wanted) {
        int count = 0;
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++) {
            long state = state(slot);
            if (state != 0 && (state & 0xff) == wanted) count++;
        }
        return count;
    }

    private void clear(int session, long from) {
        int slot = find(session);
        if (slot >= 0) Words.compareAndSwap(meta, stateOffset(slot), from, 0);
    }
}
