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
 * The rules by which one roster follows another: pure functions, with equal results in every process. A change of a
 * steady roster begins the next epoch and is changing until {@link #steady}. A change of a changing roster stays in its
 * epoch, except that the loss of members always begins the next one.
 *
 * <p>A copy is dropped only after its replacement is whole, except where a partition would have more than four copies.
 * So draining a member, or balancing, takes two changes. The first adds copies that are filled. The second drops the
 * surplus when no copy is filling any more.
 */
public final class RosterPlan {
    /** The maximum number of copies that {@link Copies} can name. */
    private static final int MAX_COPIES = 4;

    private RosterPlan() {}

    /** Returns the first roster of a pool: steady, and laid out as {@link Placement} says. */
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

    /** Returns a roster with these members and copies, in a new epoch that is changing. */
    public static Roster next(Roster roster) {
        return new Roster(roster.epoch() + 1, false, roster.members(), roster.partitions());
    }

    /**
     * Returns a roster in a new, changing epoch, for a member that is about to be removed. Where only one other whole
     * copy would be left, the leaving member becomes the primary. The other copy is then a backup, and flushed as one,
     * before it is alone.
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

    /** Returns the roster after its change is carried out. */
    public static Roster steady(Roster roster) {
        return new Roster(roster.epoch(), true, roster.members(), roster.partitions());
    }

    /**
     * Returns the roster without the members at these positions, always in a new epoch. The next whole copy of each
     * partition that has lost its primary is promoted, and later members move up. Fails with
     * {@link StoreException.Reason#UNAVAILABLE} if the removed members held the last whole copy of a partition.
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

    /** Returns the roster with one more member, at the last position, that holds nothing yet. */
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
     * Adds copies that are to be filled until each partition has {@code replicas}, or as many as there are members.
     * Each goes to the member that holds the fewest partitions and not yet this one. Returns the given roster if no
     * copy is missing.
     */
    public static Roster refill(Roster roster, int replicas) {
        return filledUp(roster, replicas, Collections.emptySet());
    }

    /**
     * The first step of the planned removal of members: like {@link #refill}, but copies on the leaving members do not
     * count. When no copy is filling any more, {@link #without} removes the members.
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
            for (; staying < replicas && copies.whole().size() + filling.size() < MAX_COPIES; staying++) {
                int leastLoaded = -1;
                for (int i = 0; i < members; i++) {
                    if (leaving.contains(i) || copies.whole().contains(i) || filling.contains(i)) continue;
                    if (leastLoaded < 0 || load[i] < load[leastLoaded]) leastLoaded = i;
                }
                if (leastLoaded < 0) break;
                filling.add(leastLoaded);
                load[leastLoaded]++;
                changed = true;
            }
            partitions.add(new Copies(copies.whole(), filling));
        }
        return changed ? change(roster, roster.members(), partitions) : roster;
    }

    /**
     * Returns the next step to a pool whose members hold equally many copies, and equally many primaries, with
     * differences of at most one. Returns the given roster if it is balanced already. Moves as few copies as possible.
     * No copy may be filling.
     */
    public static Roster balanced(Roster roster, int replicas) {
        Checks.argument(!roster.isFilling(), "copies are still being filled: balance when they are whole");
        int members = roster.members().size();
        int wanted = Math.min(replicas, members);
        List<List<Integer>> holders = new ArrayList<>();
        for (Copies copies : roster.partitions()) holders.add(new ArrayList<>(copies.whole()));
        boolean surplus = holders.stream().anyMatch(one -> one.size() > wanted);
        List<List<Integer>> kept = surplus
                ? PartitionBalancer.choose(members, holders, wanted)
                : PartitionBalancer.anywhere(members, holders, wanted);
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

    /** Where there is no room for one more copy, a surplus copy is dropped before the new one is whole. */
    private static List<Integer> roomFor(List<Integer> missing, List<Integer> holders, List<Integer> kept) {
        List<Integer> whole = new ArrayList<>(holders);
        for (int i = whole.size() - 1; i >= 0 && whole.size() + missing.size() > MAX_COPIES; i--)
            if (!kept.contains(whole.get(i))) whole.subList(i, i + 1).clear();
        return whole;
    }

    private static List<Copies> withPrimaries(int members, List<List<Integer>> kept) {
        List<List<Integer>> primaries = PartitionBalancer.choose(members, kept, 1);
        List<Copies> partitions = new ArrayList<>();
        for (int p = 0; p < kept.size(); p++) {
            List<Integer> whole = new ArrayList<>(kept.get(p));
            whole.removeAll(primaries.get(p));
            whole.addFirst(primaries.get(p).getFirst());
            partitions.add(new Copies(whole, List.of()));
        }
        return partitions;
    }

    /**
     * Returns the roster with a copy of every partition on one member, to be filled, for a backup of the whole pool.
     */
    public static Roster copiedTo(Roster roster, int position) {
        requireMember(roster, position);
        List<Copies> partitions = new ArrayList<>();
        for (int p = 0; p < roster.partitions().size(); p++) {
            Copies copies = roster.partitions().get(p);
            if (copies.all().size() == MAX_COPIES)
                throw new StoreException(
                        StoreException.Reason.FULL,
                        "partition " + p + " has " + MAX_COPIES + " copies already, and there can be no more");
            List<Integer> filling = new ArrayList<>(copies.filling());
            if (!copies.all().contains(position)) filling.add(position);
            partitions.add(new Copies(copies.whole(), filling));
        }
        return change(roster, roster.members(), partitions);
    }

    /**
     * Returns the roster with a filled copy marked as whole. The epoch stays, and so does whether the roster is steady:
     * no session has to stop.
     */
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
