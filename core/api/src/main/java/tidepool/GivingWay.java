package tidepool;

import tidepool.base.Waiting;

/**
 * A thread that leaves the pool for a moment when tables are to be changed. It is needed where a living session cannot
 * be revoked from outside, because a process may be idle. It reads one word of shared memory every 20 ms.
 */
final class GivingWay {
    private static final long PERIOD_NANOS = 20_000_000;

    private GivingWay() {}

    static void start(SessionManager sessions) {
        Thread.ofVirtual().name("tidepool-tables").start(() -> {
            do Waiting.pause(PERIOD_NANOS);
            while (sessions.giveWay());
        });
    }
}
