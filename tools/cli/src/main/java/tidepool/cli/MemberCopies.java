package tidepool.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import tidepool.store.Roster;
import tidepool.zookeeper.ZooKeeperMembership;

/** The copies of some members, and whether the pool can do without them. */
final class MemberCopies {
    private final Roster roster;
    private final Set<Integer> leaving;
    private final Set<Integer> missing = new TreeSet<>();

    /** @param leaving positions of members whose copies are to be thrown away */
    MemberCopies(ZooKeeperMembership membership, Roster roster, Set<Integer> leaving) {
        this.roster = roster;
        this.leaving = leaving;
        for (int i = 0; i < roster.members().size(); i++)
            if (!leaving.contains(i) && !isThere(membership, roster.members().get(i))) missing.add(i);
    }

    private static boolean isThere(ZooKeeperMembership membership, Roster.Member member) {
        return membership.answers(member) && !membership.isMissing(member);
    }

    /** Returns partitions of which no other member that can be reached now has a whole copy. */
    List<Integer> lost() {
        List<Integer> lost = new ArrayList<>();
        for (int p = 0; p < roster.partitions().size(); p++)
            if (roster.partitions().get(p).whole().stream().allMatch(i -> leaving.contains(i) || missing.contains(i)))
                lost.add(p);
        return lost;
    }

    /** Returns why the pool cannot do without the copies, or null if it can. */
    String refusal() {
        List<Integer> lost = lost();
        if (lost.isEmpty()) return null;
        return "without the copies of " + names(leaving) + " no whole one is left of partitions " + text(lost)
                + (missing.isEmpty()
                        ? ": what is there cannot be filled from anywhere; a snapshot can be restored into a new pool"
                                + " by ./tidepool pool restore"
                        : ", because " + names(missing) + (missing.size() == 1 ? " is" : " are")
                                + " missing as well: start these first")
                + ". Nothing was changed";
    }

    /** Returns a text that names the copies which are thrown away and still belong to the pool. */
    String thrownAway() {
        List<Integer> primary = new ArrayList<>();
        List<Integer> backup = new ArrayList<>();
        List<Integer> half = new ArrayList<>();
        for (int p = 0; p < roster.partitions().size(); p++) {
            Roster.Copies copies = roster.partitions().get(p);
            if (leaving.contains(copies.whole().getFirst())) primary.add(p);
            else if (copies.whole().stream().anyMatch(leaving::contains)) backup.add(p);
            else if (copies.filling().stream().anyMatch(leaving::contains)) half.add(p);
        }
        StringJoiner words = new StringJoiner("; ");
        if (!primary.isEmpty()) words.add("primary copies of partitions " + text(primary));
        if (!backup.isEmpty()) words.add("backup copies of partitions " + text(backup));
        if (!half.isEmpty()) words.add("half-filled copies of partitions " + text(half));
        return words.length() == 0 ? "no copies" : words.toString();
    }

    private String names(Set<Integer> positions) {
        StringJoiner names = new StringJoiner(", ");
        for (int position : positions) names.add(roster.members().get(position).identity());
        return names.toString();
    }

    private static String text(List<Integer> partitions) {
        StringJoiner text = new StringJoiner(", ");
        for (int partition : partitions) text.add(String.valueOf(partition));
        return text.toString();
    }
}
