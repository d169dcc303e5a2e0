package tidepool.memory;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import tidepool.base.Words;
import tidepool.memory.MemoryNodeException.Reason;

/**
 * The sessions that a node serves. One word per session holds number and state. So the check before a verb is one read,
 * and a revocation is one swap.
 *
 * <p><b>Fencing.</b> A recoverer revokes at every node, also at nodes to which the dead session never attached. A
 * session that was only slow may try to attach later, even after it was forgotten. So a revocation also sets a bit that
 * stays for ever: numbers are never reused. The revoker sets the bit and then reads the slots. The attacher takes a
 * slot and then reads the bit. So the later of the two sees the other.
 */
public final class SessionTable {
    private final MemorySegment meta;

    SessionTable(MemorySegment meta) {
        this.meta = meta;
    }

    /** Returns the state word of a slot whose session may send verbs. */
    public static long attachedWord(int session) {
        return (long) session << 8 | NodeLayout.SESSION_ATTACHED;
    }

    private static long revokedWord(int session) {
        return (long) session << 8 | NodeLayout.SESSION_REVOKED;
    }

    /**
     * Attaches a session and returns its slot; an attached session gets its slot again. A session that was revoked here
     * is refused for ever. Synchronized, because several lanes of one session may attach at once; all of them are in
     * one process.
     */
    public int attach(int session, long pid, long epoch) {
        return attach(session, pid, epoch, 0);
    }

    /**
     * Attaches a session if more than {@code reserved} slots are free.
     *
     * @param reserved slots that must stay free for administrators
     */
    public synchronized int attach(int session, long pid, long epoch, int reserved) {
        known(session);
        refuseReader(session);
        refuseIfOver(session);
        int slot = find(session);
        if (slot >= 0) return slot;
        if (used() >= NodeLayout.SESSIONS - reserved) throw full(reserved);
        passed(session);
        slot = take(attachedWord(session));
        if (slot < 0) throw full(0);
        Words.release(meta, NodeLayout.session(slot) + NodeLayout.SESSION_PID, pid);
        Words.release(meta, NodeLayout.session(slot) + NodeLayout.SESSION_EPOCH, epoch);
        if (isOver(session)) change(session, attachedWord(session), revokedWord(session));
        refuseIfOver(session);
        return slot;
    }

    /**
     * Returns the slot of an attached session. Links are made by this and not by {@link #attach}. Otherwise a session
     * that left would attach again by a late retry. A revoked session is refused by both, also after it was forgotten.
     */
    public int attached(int session) {
        int slot = find(session);
        if (slot >= 0 && state(slot) == attachedWord(session)) return slot;
        throw new MemoryNodeException(Reason.KEY, "session " + session + " was revoked or has left");
    }

    /** Returns the word to compare with {@link #attachedWord}. */
    public long state(int slot) {
        return Words.volatileGet(meta, stateOffset(slot));
    }

    /** Returns the offset of that word in the node's meta memory. */
    public static long stateOffset(int slot) {
        return NodeLayout.session(slot) + NodeLayout.SESSION_STATE;
    }

    /** Returns the slot of a session, attached or revoked; -1 if it is not known here. */
    public int find(int session) {
        known(session);
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++) if (state(slot) >>> 8 == session) return slot;
        return -1;
    }

    /**
     * Marks a session revoked, whether it ever attached here or not. The caller must then make sure that no verb of it
     * is still under way.
     */
    public void revoke(int session) {
        known(session);
        refuseReader(session);
        passed(session);
        setOver(session);
        change(session, attachedWord(session), revokedWord(session));
        // A session that never attached gets a slot too, so that it is listed until it is forgotten. If all slots are
        // taken it is not listed, but still refused.
        if (find(session) < 0) take(revokedWord(session));
    }

    /**
     * Raises the next session number above one that was seen here. The first node of a pool gives the numbers, and this
     * node may become the first after that one is lost. It must not give a seen number again.
     */
    private void passed(int session) {
        while (true) {
            long next = Words.volatileGet(meta, NodeLayout.NEXT_SESSION);
            if (next > session || Words.compareAndSwap(meta, NodeLayout.NEXT_SESSION, next, session + 1L) == next)
                return;
        }
    }

    /** Returns whether the session was revoked here and is not yet forgotten. */
    public boolean isRevoked(int session) {
        int slot = find(session);
        return slot >= 0 && state(slot) == revokedWord(session);
    }

    /** Returns whether the session was ever revoked here. Stays true after it is forgotten. */
    public boolean isOver(int session) {
        known(session);
        return (Words.volatileGet(meta, NodeLayout.over(session)) & overBit(session)) != 0;
    }

    /** Returns the process of a session, for people; 0 if it is not known here. */
    public long pid(int session) {
        int slot = find(session);
        return slot < 0 ? 0 : Words.acquire(meta, NodeLayout.session(slot) + NodeLayout.SESSION_PID);
    }

    /** Called when a session leaves by itself. */
    public void detach(int session) {
        known(session);
        change(session, attachedWord(session), 0);
    }

    /** Removes a revoked session from the list, once everything it left is repaired. It stays refused. */
    public void forget(int session) {
        known(session);
        change(session, revokedWord(session), 0);
    }

    /** Returns every session that is attached, or revoked and not forgotten, in the order of the slots. */
    public int[] all() {
        // Called often and with few sessions: counted first, so that little is allocated. The next call finds sessions
        // that attach meanwhile.
        int used = 0;
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++) if (state(slot) >>> 8 != 0) used++;
        int[] found = new int[used];
        int count = 0;
        for (int slot = 0; slot < NodeLayout.SESSIONS && count < used; slot++) {
            int session = (int) (state(slot) >>> 8);
            if (session != 0 && !contains(found, count, session)) found[count++] = session;
        }
        return count == used ? found : Arrays.copyOf(found, count);
    }

    /** Returns the number of taken slots, by sessions attached or revoked and not forgotten. */
    public int used() {
        int used = 0;
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++) if (state(slot) != 0) used++;
        return used;
    }

    int attached() {
        return countState(NodeLayout.SESSION_ATTACHED);
    }

    int revoked() {
        return countState(NodeLayout.SESSION_REVOKED);
    }

    /** Needed because two revokers of a session that never attached may each take a slot for it. */
    private static boolean contains(int[] sessions, int count, int session) {
        for (int i = 0; i < count; i++) if (sessions[i] == session) return true;
        return false;
    }

    private int countState(long wanted) {
        int count = 0;
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++) if ((state(slot) & 0xff) == wanted) count++;
        return count;
    }

    private int take(long word) {
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++)
            if (state(slot) == 0 && Words.compareAndSwap(meta, stateOffset(slot), 0, word) == 0) return slot;
        return -1;
    }

    /** Changes the state in every slot, not only the first: a session must not stay attached in a second one. */
    private void change(int session, long from, long to) {
        for (int slot = 0; slot < NodeLayout.SESSIONS; slot++)
            if (state(slot) >>> 8 == session) Words.compareAndSwap(meta, stateOffset(slot), from, to);
    }

    private void setOver(int session) {
        long bit = overBit(session);
        Atomics.maskedCompareAndSwap(meta, NodeLayout.over(session), 0, bit, bit, bit);
    }

    private static long overBit(int session) {
        return 1L << (session % Long.SIZE);
    }

    private void refuseIfOver(int session) {
        if (isOver(session)) throw new MemoryNodeException(Reason.KEY, "session " + session + " was revoked");
    }

    private static MemoryNodeException full(int reserved) {
        String which = reserved == 0
                ? "all " + NodeLayout.SESSIONS + " session slots are taken"
                : "all session slots are taken but " + reserved + ", which are for administrators";
        return new MemoryNodeException(Reason.FULL, which + "; recover or forget dead sessions");
    }

    private static void refuseReader(int session) {
        if (session == NodeLayout.READER_SESSION)
            throw new MemoryNodeException(
                    Reason.ARGUMENT, "session " + session + " is that of all readers, and has no slot");
    }

    /** Checks a session number. 0 would match every free slot, and a longer number would overlap the state bits. */
    private static void known(int session) {
        if (session <= 0 || session >= NodeLayout.SESSION_NUMBERS)
            throw new MemoryNodeException(Reason.ARGUMENT, "a session is 1 to 2^23 - 1: session=" + session);
    }
}
