package tidepool.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * An algorithm that spreads partitions evenly over members, as far as their candidates allow, and moves as few as
 * possible. One partition moves from a member to another candidate, which passes one of its partitions on, along a
 * chain that ends at a member with at least two fewer. When there is no such chain, no spread is more even.
 */
final class PartitionBalancer {
    private final int members;
    private final List<List<Integer>> may; // the candidates of each partition
    private final List<List<Integer>> has; // the members that hold it
    private final int[] load;

    private PartitionBalancer(int members, List<List<Integer>> may, List<List<Integer>> has) {
        this.members = members;
        this.may = may;
        this.has = has;
        this.load = new int[members];
        for (List<Integer> on : has) for (int member : on) load[member]++;
    }

    /** Chooses {@code count} of the candidates of each partition, the first ones where the choice is free. */
    static List<List<Integer>> choose(int members, List<List<Integer>> candidates, int count) {
        List<List<Integer>> has = new ArrayList<>();
        for (List<Integer> one : candidates) has.add(new ArrayList<>(one.subList(0, Math.min(count, one.size()))));
        return new PartitionBalancer(members, candidates, has).level();
    }

    /** Puts each partition on {@code count} members, those that hold it already where the choice is free. */
    static List<List<Integer>> anywhere(int members, List<List<Integer>> holders, int count) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < members; i++) all.add(i);
        List<List<Integer>> may = new ArrayList<>();
        List<List<Integer>> has = new ArrayList<>();
        for (List<Integer> one : holders) {
            may.add(all);
            has.add(new ArrayList<>(one));
        }
        PartitionBalancer balancer = new PartitionBalancer(members, may, has);
        for (List<Integer> one : has) while (one.size() < count) balancer.add(one);
        return balancer.level();
    }

    private void add(List<Integer> partition) {
        int leastLoaded = -1;
        for (int i = 0; i < members; i++)
            if (!partition.contains(i) && (leastLoaded < 0 || load[i] < load[leastLoaded])) leastLoaded = i;
        partition.add(leastLoaded);
        load[leastLoaded]++;
    }

    private List<List<Integer>> level() {
        boolean moved = true;
        while (moved) moved = shiftAny();
        return has;
    }

    /** Moves a partition from the member with the most, if that helps; otherwise from the next. */
    private boolean shiftAny() {
        List<Integer> fullestFirst = new ArrayList<>();
        for (int i = 0; i < members; i++) fullestFirst.add(i);
        fullestFirst.sort(Comparator.comparingInt(i -> -load[i]));
        for (int from : fullestFirst) if (shift(from)) return true;
        return false;
    }

    /**
     * Moves one partition away from a member, along a chain, to the reachable member with the fewest. Returns false if
     * that member has not at least two fewer.
     */
    private boolean shift(int from) {
        int[] giver = new int[members]; // the member that gives this one a partition, on the shortest chain
        int[] given = new int[members]; // the partition that is given
        Arrays.fill(giver, -1);
        giver[from] = from;
        int leastLoaded = from;
        ArrayDeque<Integer> next = new ArrayDeque<>(List.of(from));
        while (!next.isEmpty()) {
            int member = next.poll();
            for (int p = 0; p < has.size(); p++) {
                if (!has.get(p).contains(member)) continue;
                for (int taker : may.get(p)) {
                    if (giver[taker] >= 0 || has.get(p).contains(taker)) continue;
                    giver[taker] = member;
                    given[taker] = p;
                    if (load[taker] < load[leastLoaded]) leastLoaded = taker;
                    next.add(taker);
                }
            }
        }
        if (load[leastLoaded] > load[from] - 2) return false;
        hand(from, leastLoaded, giver, given);
        return true;
    }

    /**
     * Carries out the moves, from the end of the chain back. No partition moves twice: a chain with such a move would
     * not be the shortest.
     */
    private void hand(int from, int last, int[] giver, int[] given) {
        load[from]--;
        load[last]++;
        for (int taker = last; taker != from; taker = giver[taker])
            has.get(given[taker]).set(has.get(given[taker]).indexOf(giver[taker]), taker);
    }
}
