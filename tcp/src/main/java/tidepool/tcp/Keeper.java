package tidepool.tcp;

import java.util.List;
import tidepool.base.Clock;

/**
 * The one thread of a fabric. It reads the connections for control, tells the nodes that the sessions live, notices nodes
 * that have fallen silent, and looks after rounds that wait to be followed while nobody else looks.
 */
final class Keeper {
    private static final int BEATS_PER_LEASE = 4;

    /** Where answers are believed only while all nodes are heard; what a beat brings may be read with the next one. */
    private static final int BEATS_WITH_ROSTER = 8;

    private static final long OFTEN_NANOS = 1_000_000;
    private static final long OFTEN_FOR_NANOS = 20_000_000;

    private final Port control;
    private final List<TcpSession> sessions;
    private final long leaseNanos;
    private final int beats;
    private final Thread thread;
    private volatile boolean ended;
    private volatile long oftenUntil = Long.MIN_VALUE;
    private volatile boolean resting;

    Keeper(Port control, List<TcpSession> sessions, long leaseNanos, boolean roster) {
        this.control = control;
        this.sessions = sessions;
        this.leaseNanos = leaseNanos;
        this.beats = roster ? BEATS_WITH_ROSTER : BEATS_PER_LEASE;
        this.thread = Thread.ofPlatform().name("tidepool-tcp").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** For a while, every millisecond; from any thread. */
    void lookOften() {
        oftenUntil = Clock.system().nowNanos() + OFTEN_FOR_NANOS;
        if (resting) control.wake();
    }

    /** Waits until it has ended. */
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
            resting = true; // before it looks, so that whoever asks meanwhile wakes it
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
                for (Port port : session.ports()) {
                    if (beat) port.beat();
                    if (port.isStuck()) oftenUntil = Math.max(oftenUntil, now + OFTEN_FOR_NANOS);
                    if (beat || now < oftenUntil) port.pollUnattended(now);
                    if (beat) port.breakSilent(leaseNanos);
                }
        }
    }
}
