package tidepool.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import tidepool.base.Checks;
import tidepool.store.Roster.Copies;
import tidepool.store.Roster.Member;

/**
 * Which roster follows another: pure functions, the same for whoever computes them. A change of a steady roster begins the
 * next epoch and is changing until {@link #steady}; a change of a roster that is changing belongs to the same epoch, except
 * that the loss of members always begins the next one.
 *
 * <p>Nothing is moved away from where it is before it is whole elsewhere, but for one of four copies. So to empty a member, or to balance, takes two
 * changes: the first adds copies that are filled, the second, when nothing is filling any more, drops what is too much.
 */
public final class RosterPlan {
    /** As many copies as {@link Copies} can name. */
    private static final int MOST_COPIES = 4;

    private RosterPlan() {}

    /** The first roster of a pool: steady, and laid out as {@link Placement} says. */
    public static Roster first(List<Member> members, int partitions, int replicas) {
        Placement placement = new Placement(members.size(), partitions, replicas);
        List<Copies> copies = new ArrayList<>();
        for (int p = 0; p < partitions; p++) {
            List<Integer> whole = new ArrayList<>();
            for (int i = 0; i < replicas; i++) whole.add(placement.replica(p, i));
            copies.add(new Copies(whole, List.of()));
        }
        return new Roster(1, true, members, copies);
    }

    /** The same members and copies, in a new epoch that is changing. */
    public static Roster next(Roster roster) {
        return new Roster(roster.epoch() + 1, false, roster.members(), roster.partitions());
    }

    /**
     * The same, for a member that is about to be taken out: it is the primary where only one other whole copy would be left, so
     * that this one is a backup, and flushed as such, before it is alone.
     */
    public static Roster leaving(Roster roster, int position) {
        requireMember(roster, position);
        List<Copies> partitions = new ArrayList<>();
        for (Copies copies : roster.partitions()) {
            boolean last = copies.whole().size() == 2 && copies.whole().get(1) == position;
            partitions.add(last ? new Copies(copies.whole().reversed(), copies.filling()) : copies);
        }
        return new Roster(roster.epoch() + 1, false, roster.members(), partitions);
    }

    /** The change is carried out. */
    public static Roster steady(Roster roster) {
        return new Roster(roster.epoch(), true, roster.members(), roster.partitions());
    }

    /**
     * Without the members at these positions; always in a new epoch. The next whole copy of what they were primaries of is
     * promoted, and those behind them move up. Fails with {@link StoreException.Reason#UNAVAILABLE} if they held the last
     * whole copy of something.
     */
    public static Roster without(Roster roster, Set<Integer> gone) {
        for (int position : gone) requireMember(roster, position);
        int[] moved = new int[roster.members().size()];
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < moved.length; i++) {
            moved[i] = members.size();
            if (!gone.contains(i)) members.add(roster.members().get(i));
        }
        List<Copies> partitions = new ArrayList<>();
        StringJoiner lost = new StringJoiner(", ");
        for (int p = 0; p < roster.partitions().size(); p++) {
            Copies copies = roster.partitions().get(p);
            List<Integer> whole = remaining(copies.whole(), gone, moved);
            if (whole.isEmpty()) lost.add(String.valueOf(p));
            else partitions.add(new Copies(whole, remaining(copies.filling(), gone, moved)));
        }
        if (lost.length() > 0 || members.isEmpty()) throw unavailable(roster, gone, lost.toString());
        return new Roster(roster.epoch() + 1, false, members, partitions);
    }

    /** With one more member, behind all others, that holds nothing yet. */
    public static Roster with(Roster roster, Member member) {
        for (Member known : roster.members()) {
            Checks.argument(
                    !known.identity().equals(member.identity()),
                    member.identity() + " is a member of the pool already");
            Checks.argument(
                    !known.address().equals(member.address()),
                    known.identity() + " is a member at " + member.address() + ": remove it before " + member.identity()
                            + " takes its place");
        }
        List<Member> members = new ArrayList<>(roster.members());
        members.add(member);
        return change(roster, members, roster.partitions());
    }

    /**
     * Adds copies that are to be filled until each partition has {@code replicas}, or as many as there are members: each on
     * the member that holds the least and not yet this partition. The same roster if nothing is missing.
     */
    public static Roster refill(Roster roster, int replicas) {
        return filledUp(roster, replicas, Collections.emptySet());
    }

    /**
     * The first step to the planned removal of members: as {@link #refill}, but what lies on them does not count. When
     * nothing is filling any more, they go by {@link #without}.
     */
    public static Roster drained(Roster roster, int replicas, Set<Integer> leaving) {
        for (int position : leaving) requireMember(roster, position);
        int left = roster.members().size() - leaving.size();
        Checks.argument(
                left >= replicas,
                "the pool keeps " + replicas + " copies on different members and would have " + left
                        + " members: add one first");
        return filledUp(roster, replicas, leaving);
    }

    private static Roster filledUp(Roster roster, int replicas, Set<Integer> leaving) {
        int members = roster.members().size();
        int[] load = new int[members];
        for (Copies copies : roster.partitions()) for (int member : copies.all()) load[member]++;
        List<Copies> partitions = new ArrayList<>();
        boolean changed = false;
        for (Copies copies : roster.partitions()) {
            List<Integer> filling = new ArrayList<>(copies.filling());
            long staying =
                    copies.all().stream().filter(one -> !leaving.contains(one)).count();
            for (; staying < replicas && copies.whole().size() + filling.size() < MOST_COPIES; staying++) {
                int least = -1;
                for (int i = 0; i < members; i++) {
                    if (leaving.contains(i) || copies.whole().contains(i) || filling.contains(i)) continue;
                    if (least < 0 || load[i] < load[least]) least = i;
                }
                if (least < 0) break;
                filling.add(least);
                load[least]++;
                changed = true;
            }
            partitions.add(new Copies(copies.whole(), filling));
        }
        return changed ? change(roster, roster.members(), partitions) : roster;
    }

    /**
     * The next step to a pool whose members hold equally much, and are primaries of equally much: differences of at most
     * one. The same roster if it is there already. Moves as few copies as that takes. Nothing may be filling.
     */
    public static Roster balanced(Roster roster, int replicas) {
        Checks.argument(!roster.isFilling(), "copies are still being filled: balance when they are whole");
        int members = roster.members().size();
        int wanted = Math.min(replicas, members);
        List<List<Integer>> holders = new ArrayList<>();
        for (Copies copies : roster.partitions()) holders.add(new ArrayList<>(copies.whole()));
        boolean surplus = holders.stream().anyMatch(one -> one.size() > wanted);
        List<List<Integer>> kept =
                surplus ? Levelling.choose(members, holders, wanted) : Levelling.anywhere(members, holders, wanted);
        List<Copies> partitions = new ArrayList<>();
        boolean fills = false;
        for (int p = 0; p < holders.size(); p++) {
            List<Integer> missing = new ArrayList<>(kept.get(p));
            missing.removeAll(holders.get(p));
            fills |= !missing.isEmpty();
            partitions.add(new Copies(roomFor(missing, holders.get(p), kept.get(p)), missing));
        }
        if (!fills) partitions = withPrimaries(members, kept);
        return partitions.equals(roster.partitions()) ? roster : change(roster, roster.members(), partitions);
    }

    /** Where there is no room for one more copy, one that is to leave goes before the new one is whole. */
    private static List<Integer> roomFor(List<Integer> missing, List<Integer> holders, List<Integer> kept) {
        List<Integer> whole = new ArrayList<>(holders);
        for (int i = whole.size() - 1; i >= 0 && whole.size() + missing.size() > MOST_COPIES; i--)
            if (!kept.contains(whole.get(i))) whole.subList(i, i + 1).clear();
        return whole;
    }

    private static List<Copies> withPrimaries(int members, List<List<Integer>> kept) {
        List<List<Integer>> primaries = Levelling.choose(members, kept, 1);
        List<Copies> partitions = new ArrayList<>();
        for (int p = 0; p < kept.size(); p++) {
            List<Integer> whole = new ArrayList<>(kept.get(p));
            whole.removeAll(primaries.get(p));
            whole.addFirst(primaries.get(p).getFirst());
            partitions.add(new Copies(whole, List.of()));
        }
        return partitions;
    }

    /** With a copy of everything on one member, to be filled: for a snapshot of the whole pool. */
    public static Roster copiedTo(Roster roster, int position) {
        requireMember(roster, position);
        List<Copies> partitions = new ArrayList<>();
        for (int p = 0; p < roster.partitions().size(); p++) {
            Copies copies = roster.partitions().get(p);
            if (copies.all().size() == MOST_COPIES)
                throw new StoreException(
                        StoreException.Reason.FULL,
                        "partition " + p + " has " + MOST_COPIES + " copies already, and there can be no more");
            List<Integer> filling = new ArrayList<>(copies.filling());
            if (!copies.all().contains(position)) filling.add(position);
            partitions.add(new Copies(copies.whole(), filling));
        }
        return change(roster, roster.members(), partitions);
    }

    /** Says that a copy is whole now. Same epoch, and as steady as before: it stops nobody. */
    public static Roster filled(Roster roster, int partition, int position) {
        Copies copies = roster.partitions().get(partition);
        Checks.argument(
                copies.filling().contains(position),
                "member " + position + " is not filling partition " + partition + ": " + copies);
        List<Integer> whole = new ArrayList<>(copies.whole());
        List<Integer> filling = new ArrayList<>(copies.filling());
        filling.removeIf(one -> one == position);
        whole.add(position);
        List<Copies> partitions = new ArrayList<>(roster.partitions());
        partitions.set(partition, new Copies(whole, filling));
        return new Roster(roster.epoch(), roster.steady(), roster.members(), partitions);
    }

    // ---- parts

    private static Roster change(Roster from, List<Member> members, List<Copies> partitions) {
        return new Roster(from.steady() ? from.epoch() + 1 : from.epoch(), false, members, partitions);
    }

    private static List<Integer> remaining(List<Integer> positions, Set<Integer> gone, int[] moved) {
        List<Integer> left = new ArrayList<>();
        for (int position : positions) if (!gone.contains(position)) left.add(moved[position]);
        return left;
    }

    private static void requireMember(Roster roster, int position) {
        Checks.argument(
                position >= 0 && position < roster.members().size(), "the pool has no member number " + position);
    }

    private static StoreException unavailable(Roster roster, Set<Integer> gone, String lost) {
        StringJoiner names = new StringJoiner(", ");
        for (int position : new TreeSet<>(gone))
            names.add(roster.members().get(position).identity());
        return new StoreException(
                StoreException.Reason.UNAVAILABLE,
                "without " + names + " no whole copy is left of partitions " + lost
                        + ": the pool stays as it is, and cannot be used until they are back");
    }
}
