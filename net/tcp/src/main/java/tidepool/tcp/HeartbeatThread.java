package tidepool.tcp;

import java.util.List;
import tidepool.base.Clock;

/**
 * The only thread of a fabric. It reads the control connections, sends heartbeats that renew the leases of the
 * sessions, and breaks connections to silent nodes. It also polls endpoints whose rounds wait to be followed or sent
 * while no other thread reads them.
 */
final class HeartbeatThread {
    private static final int BEATS_PER_LEASE = 4;

    /**
     * Used with a roster, where a session accepts answers only while all nodes are heard. The answer to a BEAT may be
     * read as late as the next BEAT, so twice as many are sent.
     */
    private static final int BEATS_WITH_ROSTER = 8;

    private static final long OFTEN_NANOS = 1_000_000;
    private static final long OFTEN_FOR_NANOS = 20_000_000;

    private final Endpoint control;
    private final List<TcpSession> sessions;
    private final long leaseNanos;
    private final int beats;
    private final Thread thread;
    private volatile boolean ended;
    private volatile long oftenUntil = Long.MIN_VALUE;
    private volatile boolean resting;

    HeartbeatThread(Endpoint control, List<TcpSession> sessions, long leaseNanos, boolean roster) {
        this.control = control;
        this.sessions = sessions;
        this.leaseNanos = leaseNanos;
        this.beats = roster ? BEATS_WITH_ROSTER : BEATS_PER_LEASE;
        this.thread = Thread.ofPlatform().name("tidepool-tcp").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Polls every millisecond for the next 20 ms. Called from any thread. */
    void pollEagerly() {
        oftenUntil = Clock.system().nowNanos() + OFTEN_FOR_NANOS;
        if (resting) control.wake();
    }

    /** Ends the thread. Waits until it has ended. */
    void end() {
        ended = true;
        control.wake();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    private void run() {
        Clock clock = Clock.system();
        long beatEvery = leaseNanos / beats;
        long nextBeat = clock.nowNanos();
        while (!ended) {
            long now = clock.nowNanos();
            // set before oftenUntil is read, so that a thread that calls pollEagerly() meanwhile wakes this one
            resting = true;
            boolean often = now < oftenUntil;
            if (often) resting = false;
            control.readFor(Math.max(1, often ? OFTEN_NANOS : nextBeat - now));
            now = clock.nowNanos();
            boolean beat = now >= nextBeat;
            if (beat) {
                nextBeat = now + beatEvery;
                control.beat();
                control.breakSilent(leaseNanos);
            }
            for (TcpSession session : sessions)
                for (Endpoint endpoint : session.endpoints()) {
                    if (beat) endpoint.beat();
                    if (endpoint.isStuck()) oftenUntil = Math.max(oftenUntil, now + OFTEN_FOR_NANOS);
                    if (beat || now < oftenUntil) endpoint.pollUnattended(now);
                    if (beat) endpoint.breakSilent(leaseNanos);
                }
        }
    }
}
