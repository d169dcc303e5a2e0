package tidepool.check.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import tidepool.check.cluster.Attempt.Change;
import tidepool.check.cluster.Attempt.End;
import tidepool.check.cluster.Attempt.Seen;

/**
 * Whether a history is strictly serializable and nothing of it is lost. Every version names its writer and every write the
 * version it replaced, so dependencies are known and not guessed: w-w, w-r and r-w along the chain of versions of each
 * place, and real time from each end to every later beginning. A cycle is a violation.
 *
 * <p>An attempt whose end nobody saw happened if anybody saw anything of it, and then all of it must have.
 */
final class SerialOrder {
    private final ClusterHistory history;
    private final LongUnaryOperator bucketOf;
    private final Map<Long, Long> finalVersions;
    private final Map<Long, Long> finalContents;
    private final List<Attempt> committed = new ArrayList<>();
    private final Map<Long, Integer> nodeOf = new HashMap<>();
    private final Map<Long, Map<Long, Attempt>> successors = new TreeMap<>();
    private final List<List<Integer>> edges = new ArrayList<>();
    private int unknownThatHappened;

    /** @param bucketOf from the place of a key to that of its bucket */
    SerialOrder(
            ClusterHistory history,
            LongUnaryOperator bucketOf,
            Map<Long, Long> finalVersions,
            Map<Long, Long> finalContents) {
        this.history = history;
        this.bucketOf = bucketOf;
        this.finalVersions = finalVersions;
        this.finalContents = finalContents;
    }

    /** Attempts whose end nobody saw and that happened. */
    int unknownThatHappened() {
        return unknownThatHappened;
    }

    void check() {
        findCommitted();
        for (int i = 0; i < committed.size(); i++) {
            nodeOf.put(committed.get(i).id, i);
            edges.add(new ArrayList<>());
        }
        for (Attempt attempt : committed) for (Change change : attempt.changes) note(attempt, change);
        checkChains();
        addDependencies();
        addRealTime();
        findCycle();
    }

    // ---- what happened

    private void findCommitted() {
        Set<Long> visible = new HashSet<>();
        for (Attempt attempt : history.attempts()) {
            for (Seen seen : attempt.seen) visible(seen.version(), seen.place(), attempt, visible);
            for (Change change : attempt.changes) visible(change.replaced(), change.place(), attempt, visible);
        }
        finalVersions.forEach((place, version) -> visible(version, place, null, visible));
        for (Attempt attempt : history.attempts()) {
            boolean happened = attempt.end == End.OK || visible.contains(attempt.id);
            if (happened) committed.add(attempt);
            if (happened && attempt.end == End.OPEN) unknownThatHappened++;
        }
    }

    private void visible(long version, long place, Attempt by, Set<Long> visible) {
        if (version == 0) return;
        String who = by == null ? "the end" : by.toString();
        Attempt writer = history.find(version);
        if (writer == null) throw new ClusterFailure(Place.text(place) + " has a version nobody wrote, seen by " + who);
        if (writer.end == End.FAILED)
            throw new ClusterFailure(Place.text(place) + " shows the aborted " + writer + " to " + who);
        if (writer.changeOf(place) == null)
            throw new ClusterFailure(Place.text(place) + " was not written by " + writer + ", seen by " + who);
        visible.add(version);
    }

    private void note(Attempt attempt, Change change) {
        if (change.replaced() == 0 && !Place.isBucket(change.place())) return; // an insert: the bucket has its order
        Attempt other =
                successors.computeIfAbsent(change.place(), p -> new HashMap<>()).put(change.replaced(), attempt);
        if (other != null)
            throw new ClusterFailure("lost update: " + attempt + " and " + other + " both replaced the same version of "
                    + Place.text(change.place()));
    }

    // ---- chains of versions

    /** Buckets first: they order the inserts and deletes of each key. Then each key from its insert to its delete. */
    private void checkChains() {
        Map<Long, Attempt> present = new TreeMap<>();
        for (long place : new ArrayList<>(successors.keySet())) if (Place.isBucket(place)) replayBucket(place, present);
        for (Attempt attempt : committed)
            for (Change change : attempt.changes)
                if (!Place.isBucket(change.place()) && change.replaced() == 0) checkLife(attempt, change, present);
        for (long place : finalVersions.keySet())
            if (!Place.isBucket(place) && !present.containsKey(place))
                throw new ClusterFailure(Place.text(place) + " is there and should not be");
        for (Attempt attempt : committed) for (Change change : attempt.changes) checkReachable(attempt, change);
    }

    /** Follows the versions of a bucket; leaves in {@code present} who inserted each key that is there at the end. */
    private void replayBucket(long place, Map<Long, Attempt> present) {
        Map<Long, Attempt> next = successors.get(place);
        long version = 0;
        int steps = 0;
        for (Attempt attempt = next.get(version); attempt != null; attempt = next.get(version)) {
            if (++steps > next.size())
                throw new ClusterFailure("the versions of " + Place.text(place) + " go in a circle");
            for (Change change : attempt.changes) {
                if (Place.isBucket(change.place())) continue;
                boolean inserts = change.replaced() == 0;
                if (!inserts && change.present()) continue; // an update: not the bucket's business
                if (bucketOf.applyAsLong(change.place()) != place) continue;
                if (inserts && present.put(change.place(), attempt) != null)
                    throw new ClusterFailure(attempt + " inserted " + Place.text(change.place()) + ", which was there");
                if (!inserts && present.remove(change.place()) == null)
                    throw new ClusterFailure(
                            attempt + " deleted " + Place.text(change.place()) + ", which was not there");
            }
            version = attempt.id;
        }
        if (steps != next.size())
            throw new ClusterFailure(Place.text(place) + " has " + next.size() + " writers and only " + steps
                    + " in its chain of versions");
        long last = finalVersions.getOrDefault(place, 0L);
        if (last != version)
            throw new ClusterFailure(Place.text(place) + " was last written by " + history.find(version) + " and shows "
                    + history.find(last));
    }

    /** From an insert to the delete of the same key, or to what is there at the end. */
    private void checkLife(Attempt inserter, Change insert, Map<Long, Attempt> present) {
        Map<Long, Attempt> next = successors.getOrDefault(insert.place(), Map.of());
        Attempt attempt = inserter;
        Change change = insert;
        while (change.present()) {
            Attempt follower = next.get(attempt.id);
            if (follower == null) break;
            attempt = follower;
            change = follower.changeOf(insert.place());
        }
        if (!change.present()) return;
        if (present.get(insert.place()) != inserter)
            throw new ClusterFailure(Place.text(insert.place()) + ", inserted by " + inserter + ", was lost");
        Long last = finalVersions.get(insert.place());
        if (last == null || last != attempt.id)
            throw new ClusterFailure(Place.text(insert.place()) + " was last written by " + attempt + " and shows "
                    + (last == null ? "nothing" : history.find(last)));
        if (finalContents.get(insert.place()) != change.content())
            throw new ClusterFailure(Place.text(insert.place()) + " does not hold what " + attempt + " wrote");
    }

    /** What a committed write replaced was itself committed, which {@link #findCommitted} made sure of. */
    private void checkReachable(Attempt attempt, Change change) {
        if (change.replaced() != 0 && !nodeOf.containsKey(change.replaced()))
            throw new ClusterFailure(
                    attempt + " replaced a version of " + Place.text(change.place()) + " that never was");
        boolean isLast = finalVersions.getOrDefault(change.place(), 0L) == attempt.id;
        boolean replaced = successors.getOrDefault(change.place(), Map.of()).containsKey(attempt.id);
        boolean gone = !change.present(); // a deleted key: the bucket has its order
        if (!isLast && !replaced && !gone)
            throw new ClusterFailure("the write of " + attempt + " to " + Place.text(change.place()) + " was lost");
    }

    // ---- edges

    private void addDependencies() {
        for (Attempt attempt : committed) {
            int me = nodeOf.get(attempt.id);
            for (Seen seen : attempt.seen) {
                edge(nodeOf.get(seen.version()), me);
                Attempt follower =
                        successors.getOrDefault(seen.place(), Map.of()).get(seen.version());
                if (follower != null) edge(me, nodeOf.get(follower.id));
            }
            for (Change change : attempt.changes) edge(nodeOf.get(change.replaced()), me);
        }
    }

    /** Ends are strung on a line; each beginning hangs on the last end before it. */
    private void addRealTime() {
        List<Attempt> ended = new ArrayList<>();
        for (Attempt attempt : committed) if (attempt.end == End.OK) ended.add(attempt);
        ended.sort(Comparator.comparingLong(a -> a.completed));
        int first = edges.size();
        for (int i = 0; i < ended.size(); i++) {
            edges.add(new ArrayList<>());
            edge(nodeOf.get(ended.get(i).id), first + i);
            if (i > 0) edge(first + i - 1, first + i);
        }
        long[] times = ended.stream().mapToLong(a -> a.completed).toArray();
        for (Attempt attempt : committed) {
            int before = -Arrays.binarySearch(times, attempt.invoked) - 2;
            if (before >= 0) edge(first + before, nodeOf.get(attempt.id));
        }
    }

    private void edge(Integer from, int to) {
        if (from != null && from != to) edges.get(from).add(to);
    }

    private void findCycle() {
        int[] incoming = new int[edges.size()];
        for (List<Integer> targets : edges) for (int to : targets) incoming[to]++;
        ArrayDeque<Integer> free = new ArrayDeque<>();
        for (int i = 0; i < incoming.length; i++) if (incoming[i] == 0) free.add(i);
        int sorted = 0;
        while (!free.isEmpty()) {
            sorted++;
            for (int to : edges.get(free.remove())) if (--incoming[to] == 0) free.add(to);
        }
        if (sorted < incoming.length) throw new ClusterFailure("not strictly serializable: " + describeCycle(incoming));
    }

    private String describeCycle(int[] incoming) {
        // Backwards from any node that is left, to others that are left, until one comes again.
        int at = 0;
        while (incoming[at] == 0) at++;
        List<Integer> path = new ArrayList<>();
        while (!path.contains(at)) {
            path.add(at);
            int from = 0;
            while (incoming[from] == 0 || !edges.get(from).contains(at)) from++;
            at = from;
        }
        StringBuilder text = new StringBuilder();
        List<Integer> cycle = path.subList(path.indexOf(at), path.size()).reversed();
        for (int node : cycle) {
            if (node >= committed.size()) continue;
            Attempt attempt = committed.get(node);
            text.append(attempt)
                    .append(" saw ")
                    .append(attempt.seen)
                    .append(" changed ")
                    .append(attempt.changes);
            text.append(" [")
                    .append(attempt.invoked)
                    .append("..")
                    .append(attempt.completed)
                    .append("] -> ");
        }
        return text + "the first";
    }
}
