package tidepool.tcp;

import java.util.Arrays;

/**
 * The sessions that some node suspects and that are not recovered yet. Readers of endpoints write the set; any thread
 * reads it.
 */
final class SuspectedSessions {
    private static final int[] NONE = {};

    private volatile int[] sessions = NONE;

    synchronized void add(int session) {
        if (contains(session)) return;
        int[] more = Arrays.copyOf(sessions, sessions.length + 1);
        more[sessions.length] = session;
        sessions = more;
    }

    synchronized void remove(int session) {
        if (contains(session))
            sessions = Arrays.stream(sessions).filter(one -> one != session).toArray();
    }

    boolean contains(int session) {
        for (int one : sessions) if (one == session) return true;
        return false;
    }

    /** Returns all suspected sessions. The caller must not change the array. */
    int[] all() {
        return sessions;
    }
}
