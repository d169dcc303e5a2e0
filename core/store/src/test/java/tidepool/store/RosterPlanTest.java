package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.store.Roster.Copies;
import tidepool.store.Roster.Member;

class RosterPlanTest {
    private static final int SEEDS = 3000;

    @Test
    void theFirstRosterIsThePlacementOfOld() {
        Placement placement = new Placement(5, 12, 3);
        Roster roster = RosterPlan.first(members(5), 12, 3);
        assertEquals(1, roster.epoch());
        assertTrue(roster.steady());
        for (int p = 0; p < 12; p++)
            for (int i = 0; i < 3; i++)
                assertEquals(
                        placement.replica(p, i),
                        roster.partitions().get(p).whole().get(i));
    }

    /**
     * The next whole copy of a lost primary is promoted, and later ones move up. A copy that is not whole is never
     * promoted.
     */
    @Test
    void aLostMemberIsFollowedByTheNextWholeCopy() {
        Roster roster = new Roster(
                4,
                true,
                members(4),
                List.of(
                        copies(List.of(1, 0), List.of(2)),
                        copies(List.of(3, 1, 2), List.of()),
                        copies(List.of(0), List.of(1))));
        Roster left = RosterPlan.without(roster, Set.of(1));
        assertEquals(5, left.epoch());
        assertFalse(left.steady());
        assertEquals(
                List.of("n0#0", "n2#2", "n3#3"),
                left.members().stream().map(Member::identity).toList());
        assertEquals(
                List.of(
                        copies(List.of(0), List.of(1)),
                        copies(List.of(2, 1), List.of()),
                        copies(List.of(0), List.of())),
                left.partitions());
    }

    /**
     * Under selective flush backups alone are persistent. So the copy that remains alone has to be a backup before the
     * member leaves; all other copies keep their places.
     */
    @Test
    void aLeavingMemberIsPrimaryWhereOneOtherWholeCopyIsLeft() {
        Roster roster = new Roster(
                4,
                true,
                members(4),
                List.of(
                        copies(List.of(0, 1), List.of(2)),
                        copies(List.of(1, 0), List.of()),
                        copies(List.of(0, 1, 2), List.of()),
                        copies(List.of(1), List.of(0)),
                        copies(List.of(0, 2), List.of(1))));

        Roster held = RosterPlan.leaving(roster, 1);

        assertEquals(5, held.epoch());
        assertFalse(held.steady());
        assertEquals(roster.members(), held.members());
        assertEquals(
                List.of(
                        copies(List.of(1, 0), List.of(2)),
                        copies(List.of(1, 0), List.of()),
                        copies(List.of(0, 1, 2), List.of()),
                        copies(List.of(1), List.of(0)),
                        copies(List.of(0, 2), List.of(1))),
                held.partitions());
        assertThrows(IllegalArgumentException.class, () -> RosterPlan.leaving(roster, 4));
    }

    /** If more members are lost than there are copies, the error is clear, and no partition is ever empty. */
    @Test
    void theLastWholeCopyIsNeverGivenUp() {
        Roster roster = new Roster(
                4, true, members(3), List.of(copies(List.of(0), List.of(1)), copies(List.of(2, 1), List.of())));
        StoreException e = assertThrows(StoreException.class, () -> RosterPlan.without(roster, Set.of(0)));
        assertEquals(StoreException.Reason.UNAVAILABLE, e.reason());
        assertTrue(e.getMessage().contains("n0#0") && e.getMessage().contains("partitions 0:"), e.getMessage());
        assertThrows(StoreException.class, () -> RosterPlan.without(roster, Set.of(0, 1, 2)));
        assertThrows(IllegalArgumentException.class, () -> RosterPlan.without(roster, Set.of(3)));
    }

    @Test
    void refusesAMemberTwiceAndTwoAtOneAddress() {
        Roster roster = RosterPlan.first(members(2), 2, 2);
        assertThrows(
                IllegalArgumentException.class,
                () -> RosterPlan.with(roster, roster.members().getFirst()));
        assertThrows(
                IllegalArgumentException.class,
                () -> RosterPlan.with(
                        roster, new Member(roster.members().getFirst().address(), "n0#later")));
        assertThrows(IllegalArgumentException.class, () -> RosterPlan.drained(roster, 2, Set.of(0)));
        assertThrows(IllegalArgumentException.class, () -> RosterPlan.filled(roster, 0, 1));
        assertThrows(
                IllegalArgumentException.class,
                () -> RosterPlan.balanced(RosterPlan.refill(RosterPlan.with(roster, new Member("x:1", "x")), 3), 3));
    }

    /**
     * Any sequence of losses, additions, removals and balancing keeps every partition whole somewhere, on different
     * members.
     */
    @Test
    void anyStoryKeepsAWholeCopyOfEverything() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Randomness random = new Randomness(seed);
            int replicas = 1 + random.nextInt(4);
            int size = replicas + random.nextInt(5);
            Roster roster = RosterPlan.first(members(size), 1 + random.nextInt(20), replicas);
            int names = size;
            for (int step = 0; step < 12; step++) {
                Roster before = roster;
                int members = roster.members().size();
                try {
                    switch (random.nextInt(5)) {
                        case 0 -> roster = RosterPlan.without(roster, some(random, members));
                        case 1 -> roster = RosterPlan.with(roster, member(names++));
                        case 2 -> roster = RosterPlan.refill(roster, replicas);
                        case 3 -> roster = RosterPlan.drained(roster, replicas, Set.of(random.nextInt(members)));
                        default -> roster = RosterPlan.balanced(fillAll(roster), replicas);
                    }
                } catch (StoreException | IllegalArgumentException e) {
                    assertEquals(before, roster);
                    continue;
                }
                check(before, roster, "seed " + seed);
                if (random.nextInt(2) == 0) roster = RosterPlan.steady(roster);
                if (random.nextInt(2) == 0) roster = fillAll(roster);
            }
        }
    }

    private static void check(Roster before, Roster after, String seed) {
        boolean same = after.partitions().equals(fillAll(before).partitions())
                || after.partitions().equals(before.partitions());
        boolean sameMembers = after.members().equals(before.members());
        if (!same || !sameMembers) {
            assertFalse(after.steady(), seed);
            assertTrue(after.epoch() <= before.epoch() + 1, seed);
            if (before.steady()) assertEquals(before.epoch() + 1, after.epoch(), seed);
        }
        assertEquals(before.partitions().size(), after.partitions().size(), seed);
        for (int p = 0; p < after.partitions().size(); p++) {
            Set<String> had =
                    identities(fillAll(before), before.partitions().get(p).all());
            Set<String> whole = identities(after, after.partitions().get(p).whole());
            assertTrue(had.containsAll(whole), seed + ": a copy is whole that nobody has filled");
        }
        assertEquals(after, Roster.parse(after.text()), seed);
    }

    /** After a loss only the missing copies are added, and the load is spread. */
    @Test
    void refillAddsWhatIsMissingAndNoMore() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Randomness random = new Randomness(seed);
            int replicas = 2 + random.nextInt(3);
            int size = replicas + 1 + random.nextInt(5);
            int partitions = size * (1 + random.nextInt(4));
            Roster first = RosterPlan.first(members(size), partitions, replicas);
            int lost = random.nextInt(size);
            int held = load(first)[lost];
            Roster left = RosterPlan.without(first, Set.of(lost));
            Roster refilled = RosterPlan.refill(left, replicas);
            assertEquals(2, refilled.epoch(), "one change");
            int added = 0;
            for (Copies copies : refilled.partitions()) {
                assertEquals(replicas, copies.all().size(), "seed " + seed);
                added += copies.filling().size();
            }
            assertEquals(held, added, "seed " + seed);
            assertSame(refilled, RosterPlan.refill(refilled, replicas));
        }
    }

    /**
     * Two steps lead to balance from any roster, the third changes nothing, and no copy moves that could have stayed.
     */
    @Test
    void balancedIsReachedWithTheFewestMoves() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Randomness random = new Randomness(seed);
            int replicas = 1 + random.nextInt(3);
            int size = replicas + random.nextInt(4);
            Roster roster = RosterPlan.first(members(size), 1 + random.nextInt(24), replicas);
            int more = random.nextInt(3);
            for (int i = 0; i < more; i++) roster = RosterPlan.with(roster, member(size + i));
            if (random.nextInt(2) == 0 && size > replicas && replicas > 1)
                roster = fillAll(RosterPlan.refill(RosterPlan.without(roster, Set.of(random.nextInt(size))), replicas));
            roster = RosterPlan.steady(roster);
            int fewest = excess(load(roster));
            Roster step = RosterPlan.balanced(roster, replicas);
            int moves = step.partitions().stream()
                    .mapToInt(copies -> copies.filling().size())
                    .sum();
            assertEquals(fewest, moves, "seed " + seed);
            step = RosterPlan.balanced(fillAll(RosterPlan.steady(step)), replicas);
            assertFalse(step.isFilling(), "seed " + seed + ": all that had to move has moved");
            assertTrue(spread(load(step)) <= 1, "seed " + seed);
            assertTrue(spread(primaries(step)) <= 1 || replicas == 1, "seed " + seed + "\n" + step.text());
            for (Copies copies : step.partitions())
                assertEquals(replicas, copies.all().size());
            assertSame(step, RosterPlan.balanced(step, replicas));
        }
    }

    @Test
    void aDrainedMemberCanGoWithoutALoss() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Randomness random = new Randomness(seed);
            int replicas = 1 + random.nextInt(3);
            int size = replicas + 1 + random.nextInt(4);
            Roster roster = RosterPlan.first(members(size), 1 + random.nextInt(24), replicas);
            int leaving = random.nextInt(size);
            Roster gone =
                    RosterPlan.without(fillAll(RosterPlan.drained(roster, replicas, Set.of(leaving))), Set.of(leaving));
            assertEquals(size - 1, gone.members().size());
            for (Copies copies : gone.partitions())
                assertEquals(replicas, copies.whole().size(), "seed " + seed);
        }
    }

    // ---- helpers

    private static Roster fillAll(Roster roster) {
        Roster filled = roster;
        for (int p = 0; p < roster.partitions().size(); p++)
            for (int member : roster.partitions().get(p).filling()) filled = RosterPlan.filled(filled, p, member);
        return filled;
    }

    private static int[] load(Roster roster) {
        int[] load = new int[roster.members().size()];
        for (Copies copies : roster.partitions()) for (int member : copies.all()) load[member]++;
        return load;
    }

    private static int[] primaries(Roster roster) {
        int[] load = new int[roster.members().size()];
        for (Copies copies : roster.partitions()) load[copies.whole().getFirst()]++;
        return load;
    }

    private static int spread(int[] load) {
        return IntStream.of(load).max().orElse(0) - IntStream.of(load).min().orElse(0);
    }

    /** Returns how many copies are above the level, which is one whole number, or two neighbouring ones. */
    private static int excess(int[] load) {
        int sum = IntStream.of(load).sum();
        int level = sum / load.length;
        int higher = sum % load.length; // this number of members may hold one more
        int over = 0;
        int above = 0;
        for (int one : load) {
            if (one > level) {
                over += one - level;
                above++;
            }
        }
        return over - Math.min(higher, above);
    }

    private static Set<Integer> some(Randomness random, int members) {
        Set<Integer> some = new HashSet<>();
        some.add(random.nextInt(members));
        if (random.nextInt(3) == 0) some.add(random.nextInt(members));
        return some;
    }

    private static Set<String> identities(Roster roster, List<Integer> positions) {
        Set<String> names = new HashSet<>();
        for (int position : positions) names.add(roster.members().get(position).identity());
        return names;
    }

    private static List<Member> members(int count) {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < count; i++) members.add(member(i));
        return members;
    }

    private static Member member(int i) {
        return new Member("10.0.0." + i + ":7400", "n" + i + "#" + i);
    }

    private static Copies copies(List<Integer> whole, List<Integer> filling) {
        return new Copies(whole, filling);
    }
}
