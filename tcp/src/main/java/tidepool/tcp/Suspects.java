package tidepool.tcp;

import java.util.Arrays;

/** The sessions that some node suspects and nobody has finished recovering. Written by those who read, read by all. */
final class Suspects {
    private static final int[] NOBODY = {};

    private volatile int[] sessions = NOBODY;

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

    /** All of them; not to be changed. */
    int[] all() {
        return sessions;
    }
}
