package tidepool.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The times until the keys of killed processes were available again, and their parts. All times are of the machine's
 * monotonic clock, which all processes share.
 *
 * @param sign by which survivors can know of a death
 * @param tearDown from the signal to that sign, for each kill: the kernel's release of a lock, or a node's suspicion
 * @param noticed from the sign until a survivor noticed; this and the next four for each kill that left locked keys
 * @param begun until a recoverer began: one works at a time, and a process may have had to wait for its own other
 * recovery
 * @param revoked until no verb of the dead session could land any more
 * @param resolved until its transactions that had a log were finished or undone
 * @param unlocked until its other locks were free
 * @param firstCommit from the sign to the first commit on a key that it held, for each such key
 * @param waited how long transactions of survivors waited for the dead session, counted from the sign
 * @param detection from the signal until a survivor noticed, for each kill that left locked keys
 * @param repair from then to the first commit, for each key
 * @param all from the signal to the first commit, for each key
 */
public record RecoveryTimes(
        String sign,
        Spread tearDown,
        Spread noticed,
        Spread begun,
        Spread revoked,
        Spread resolved,
        Spread unlocked,
        Spread firstCommit,
        Spread waited,
        Spread detection,
        Spread repair,
        Spread all) {
    /** Returns the sign of a death on a fabric. */
    public static String signOn(String fabric) {
        return fabric.equals("shm") ? "the kernel's release of the lock" : "a node's suspicion";
    }

    /** The goal: the highest time for 99 of 100 keys. */
    public static final double GOAL_MILLIS = 20;

    /** The death of a worker: when it was killed, and when that could be known. */
    record Death(long killedNanos, long releasedNanos) {}

    /** Times in milliseconds, sorted. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Spread(double[] millis) {
        static Spread of(List<Long> nanos) {
            double[] millis = new double[nanos.size()];
            for (int i = 0; i < millis.length; i++) millis[i] = nanos.get(i) / 1e6;
            Arrays.sort(millis);
            return new Spread(millis);
        }

        public int count() {
            return millis.length;
        }

        /** Returns the time that the given percentage of all times does not exceed; 0 if there are none. */
        public double percentile(int percent) {
            if (millis.length == 0) return 0;
            return millis[Math.max(0, (int) Math.ceil(millis.length * percent / 100.0) - 1)];
        }
    }

    /** @param deaths by session */
    static RecoveryTimes of(
            String sign,
            Map<Integer, Death> deaths,
            List<WorkerProcess> workers,
            Collection<KeyProber.Commit> commits) {
        Map<Integer, Long> noticed = new TreeMap<>();
        Map<Integer, WorkerProcess.Recovered> recovered = new TreeMap<>();
        Map<Integer, WorkerProcess.Passed> passed = new TreeMap<>();
        for (WorkerProcess worker : workers) {
            for (var n : worker.notices()) noticed.merge(n.session(), n.nanos(), Math::min);
            for (var r : worker.recoveries())
                recovered.merge(
                        r.session(),
                        r,
                        (a, b) -> a.times().begunNanos() <= b.times().begunNanos() ? a : b);
            for (var p : worker.passes()) passed.merge(p.session(), p, (a, b) -> a.nanos() <= b.nanos() ? a : b);
        }
        return new Gathering(sign, known(deaths, noticed), noticed, recovered, passed).times(commits);
    }

    /**
     * Corrects the time of each sign by the survivors' notices. A survivor that noticed had the sign, and a node tells
     * one survivor slightly earlier than another.
     */
    private static Map<Integer, Death> known(Map<Integer, Death> deaths, Map<Integer, Long> noticed) {
        Map<Integer, Death> known = new TreeMap<>();
        deaths.forEach((session, death) -> {
            long first = Math.min(death.releasedNanos(), noticed.getOrDefault(session, Long.MAX_VALUE));
            known.put(session, new Death(death.killedNanos(), first));
        });
        return known;
    }

    public boolean meetsGoal() {
        return firstCommit.percentile(99) < GOAL_MILLIS;
    }

    /** Returns a table for people. */
    public String text() {
        StringBuilder text = new StringBuilder();
        line(text, "%-46s %6s %9s %9s %9s", "milliseconds", "times", "p50", "p99", "most");
        row(text, "SIGKILL to the first commit, each affected key", all);
        row(text, "  detection: SIGKILL to noticed", detection);
        row(text, "  repair: noticed to the first commit", repair);
        row(text, "SIGKILL to " + sign, tearDown);
        row(text, "from there to the first commit, each key", firstCommit);
        row(text, "  to noticed", noticed);
        row(text, "  noticed to recovery begun", begun);
        row(text, "  begun to revoked", revoked);
        row(text, "  revoked to logs resolved", resolved);
        row(text, "  resolved to unlocked", unlocked);
        row(text, "waits of transactions that met the dead", waited);
        line(
                text,
                "goal: p99 from %s to the first commit under %.0f ms: %s",
                sign,
                GOAL_MILLIS,
                firstCommit.count() == 0 ? "nothing to measure" : meetsGoal() ? "met" : "missed");
        return text.toString();
    }

    private static void row(StringBuilder text, String name, Spread s) {
        line(
                text,
                "%-46s %6d %9.3f %9.3f %9.3f",
                name,
                s.count(),
                s.percentile(50),
                s.percentile(99),
                s.percentile(100));
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    /** The reports about each dead session, by session. */
    private record Gathering(
            String sign,
            Map<Integer, Death> deaths,
            Map<Integer, Long> noticed,
            Map<Integer, WorkerProcess.Recovered> recovered,
            Map<Integer, WorkerProcess.Passed> passed) {
        RecoveryTimes times(Collection<KeyProber.Commit> commits) {
            List<Long> tearDown = new ArrayList<>();
            for (Death death : deaths.values()) tearDown.add(death.releasedNanos() - death.killedNanos());
            List<Long> firstCommit = new ArrayList<>();
            List<Long> all = new ArrayList<>();
            List<Long> repair = new ArrayList<>();
            Map<Integer, Long> last = new TreeMap<>();
            for (KeyProber.Commit commit : commits) {
                Death death = deaths.get(commit.session());
                firstCommit.add(commit.nanos() - death.releasedNanos());
                all.add(commit.nanos() - death.killedNanos());
                Long seen = noticed.get(commit.session());
                if (seen != null) repair.add(commit.nanos() - seen);
                last.merge(commit.session(), commit.nanos(), Math::max);
            }
            List<Long> detection = new ArrayList<>();
            for (int session : last.keySet()) {
                Long seen = noticed.get(session);
                if (seen != null) detection.add(seen - deaths.get(session).killedNanos());
            }
            List<Long> notice = new ArrayList<>();
            List<Long> begun = new ArrayList<>();
            List<Long> revoked = new ArrayList<>();
            List<Long> resolved = new ArrayList<>();
            List<Long> unlocked = new ArrayList<>();
            for (int session : last.keySet()) {
                WorkerProcess.Recovered r = recovered.get(session);
                Long seen = noticed.get(session);
                if (r == null || seen == null) continue; // a killed worker could not report
                notice.add(seen - deaths.get(session).releasedNanos());
                begun.add(r.times().begunNanos() - seen);
                revoked.add(r.times().revokedNanos() - r.times().begunNanos());
                resolved.add(r.times().resolvedNanos() - r.times().revokedNanos());
                unlocked.add(r.times().unlockedNanos() - r.times().resolvedNanos());
            }
            List<Long> waited = new ArrayList<>();
            passed.forEach((session, p) -> {
                if (deaths.containsKey(session))
                    waited.add(Math.min(
                            p.waitedNanos(), p.nanos() - deaths.get(session).releasedNanos()));
            });
            return new RecoveryTimes(
                    sign,
                    Spread.of(tearDown),
                    Spread.of(notice),
                    Spread.of(begun),
                    Spread.of(revoked),
                    Spread.of(resolved),
                    Spread.of(unlocked),
                    Spread.of(firstCommit),
                    Spread.of(waited),
                    Spread.of(detection),
                    Spread.of(repair),
                    Spread.of(all));
        }
    }
}
