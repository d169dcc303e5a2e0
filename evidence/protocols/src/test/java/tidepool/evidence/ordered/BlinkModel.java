package tidepool.evidence.ordered;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * An explicit-state model of the leaves of a B-link tree, which are rows with LOCK, VER and INV. Leaf 0 covers [0, 9)
 * and has 1 and 3 at first; place 1 is empty.
 *
 * <pre>
 *   P   splits leaf 0 at 3; dies anywhere, and FORD's rule finishes or undoes the split
 *   M   merges leaf 1 back into leaf 0, and uses place 1 for another tree
 *   I   inserts 4, J inserts 2, D deletes 3: each locks the leaf of its key, and looks at it again under the lock
 *   Q   scans [0, 9) from a hint that may be either place, and validates LOCK, then VER, of each leaf
 * </pre>
 */
final class BlinkModel {
    /** The actors. */
    enum Actor {
        P_SPLITS,
        M_MERGES,
        I_INSERTS,
        J_INSERTS,
        D_DELETES,
        Q_SCANS
    }

    /** What is wrong in a state. */
    enum Violation {
        CHAIN_IS_BROKEN,
        KEYS_LOST_OR_DOUBLED,
        KEY_TWICE,
        PHANTOM,
        REPORTED_INSERT_IS_MISSED,
        STUCK
    }

    /** Changes of the protocol: most are wrong; some are not, because another check covers them. */
    enum Mutant {
        NONE("PIQ", null),
        RECOVER_FROM_ONE("PIQ", Violation.CHAIN_IS_BROKEN),
        LOCK_ONE_LEAF("PIQ", Violation.STUCK),
        RELEASE_EACH_AT_ONCE("PIQ", Violation.CHAIN_IS_BROKEN),
        MERGE_LEAVES_IMAGE("PMIQ", Violation.KEYS_LOST_OR_DOUBLED),
        NO_LOOK_UNDER_THE_LOCK("PMIQ", Violation.KEYS_LOST_OR_DOUBLED),
        START_ANYWHERE("PIQ", Violation.PHANTOM),
        LAST_LEAF_ONLY("PIJQ", Violation.PHANTOM),
        EMPTY_LEAF_UNCHECKED("PIDQ", Violation.PHANTOM),
        SPLIT_KEEPS_VERSION("PIQ", Violation.PHANTOM),
        INSERT_KEEPS_VERSION("PIQ", Violation.PHANTOM),
        INSERT_WITHOUT_LOCK("PIQ", Violation.STUCK),
        FOLLOW_WITHOUT_FENCE("PMIQ", null),
        MERGE_KEEPS_VERSION("PMIQ", null);

        final String actors;
        final Violation violation;
        final boolean isWrong;

        Mutant(String actors, Violation violation) {
            this.actors = actors;
            this.violation = violation;
            this.isWrong = violation != null;
        }
    }

    private static final int END = 9;

    /** What a leaf says: low, high, right neighbour, keys as bits. */
    private record Image(int low, int high, int next, int keys) {
        static final Image DEAD = new Image(-1, -1, -1, 0);

        boolean covers(int key) {
            return this != DEAD && low <= key && key < high;
        }
    }

    private record Leaf(Image image, char version, boolean isMarked, char lock) {
        Leaf lock(char by) {
            return new Leaf(image, version, isMarked, by);
        }
    }

    /** The images and versions of both leaves before a transaction on both, and the images after it. */
    private record Plan(Image image0, char version0, Image image1, char version1, Image new0, Image new1) {}

    private enum Phase {
        BEGINS,
        LOCKS,
        WRITES,
        RELEASES,
        DEAD,
        USES_AGAIN,
        OVER
    }

    /** A transaction on both leaves, and which of them are done with in its phase. */
    private record Pair(Phase phase, boolean first, boolean second, Plan plan) {
        static Pair at(Phase phase) {
            return new Pair(phase, false, false, null);
        }
    }

    /** A user: 0 searches, 1 wants the lock, 2 has it, 3 has written, 4 has reported, 5 is over. */
    private record User(int step, int at) {}

    private static final User SEARCHING = new User(0, -1);
    private static final User ENDED = new User(5, -1);

    private record Seen(int at, char version, Image image) {}

    /**
     * The scan: 0 begins, 1 reads, 2 validates locks, 3 validates versions, 4 is over.
     *
     * @param reported the users that had reported when it began
     * @param truth the keys when validation began
     */
    private record Scan(int step, int at, List<Seen> seen, int position, int reported, int truth) {
        static final Scan BEGINS = new Scan(0, 0, List.of(), 0, 0, 0);
        static final Scan OVER = new Scan(4, 0, List.of(), 0, 0, 0);
    }

    private record State(
            Leaf leaf0,
            Leaf leaf1,
            Pair split,
            Pair merge,
            User i,
            User j,
            User d,
            Scan scan,
            int truth,
            int reported) {
        Leaf leaf(int at) {
            return at == 0 ? leaf0 : leaf1;
        }

        State with(int at, Leaf leaf) {
            return with(at == 0 ? leaf : leaf0, at == 0 ? leaf1 : leaf);
        }

        State with(Leaf zero, Leaf one) {
            return new State(zero, one, split, merge, i, j, d, scan, truth, reported);
        }

        State with(boolean isSplit, Pair pair) {
            return new State(
                    leaf0, leaf1, isSplit ? pair : split, isSplit ? merge : pair, i, j, d, scan, truth, reported);
        }

        State with(Actor actor, User user) {
            return new State(
                    leaf0,
                    leaf1,
                    split,
                    merge,
                    actor == Actor.I_INSERTS ? user : i,
                    actor == Actor.J_INSERTS ? user : j,
                    actor == Actor.D_DELETES ? user : d,
                    scan,
                    truth,
                    reported);
        }

        State with(Scan next) {
            return new State(leaf0, leaf1, split, merge, i, j, d, next, truth, reported);
        }

        State knowing(int keys, int reports) {
            return new State(leaf0, leaf1, split, merge, i, j, d, scan, keys, reports);
        }

        User user(Actor actor) {
            return actor == Actor.I_INSERTS ? i : actor == Actor.J_INSERTS ? j : d;
        }
    }

    private final Set<Actor> actors;
    private final Mutant mutant;
    private final Set<State> known = new HashSet<>();
    private final Deque<State> open = new ArrayDeque<>();
    private final Set<Violation> violations = new TreeSet<>();
    private int quiet;
    private boolean hasNext;

    BlinkModel(Set<Actor> actors, Mutant mutant) {
        this.actors = actors;
        this.mutant = mutant;
    }

    Set<Violation> violations() {
        return violations;
    }

    int states() {
        return known.size();
    }

    /** Returns in how many states no transaction was under way. */
    int quiet() {
        return quiet;
    }

    /** Visits all states. */
    void explore() {
        Leaf full = new Leaf(new Image(0, END, -1, bit(1) | bit(3)), '0', false, ' ');
        add(new State(
                full,
                new Leaf(Image.DEAD, '0', false, ' '),
                Pair.at(Phase.BEGINS),
                Pair.at(Phase.BEGINS),
                SEARCHING,
                SEARCHING,
                SEARCHING,
                Scan.BEGINS,
                bit(1) | bit(3),
                0));
        while (!open.isEmpty()) {
            State s = open.poll();
            boolean isQuiet = isQuiet(s);
            if (isQuiet) {
                quiet++;
                judge(s);
            }
            hasNext = false;
            if (actors.contains(Actor.P_SPLITS)) split(s);
            if (actors.contains(Actor.M_MERGES)) merge(s);
            for (Actor each : List.of(Actor.I_INSERTS, Actor.J_INSERTS, Actor.D_DELETES))
                if (actors.contains(each)) use(s, each);
            if (actors.contains(Actor.Q_SCANS)) scan(s);
            if (!hasNext && !isQuiet) violations.add(Violation.STUCK);
        }
    }

    private static int bit(int key) {
        return 1 << key;
    }

    private static boolean isIn(int key, int keys) {
        return (keys & bit(key)) != 0;
    }

    private void add(State s) {
        hasNext = true;
        if (known.add(s)) open.add(s);
    }

    private static boolean isQuiet(State s) {
        for (int at = 0; at < 2; at++) if (s.leaf(at).lock != ' ' || s.leaf(at).isMarked) return false;
        for (User each : List.of(s.i, s.j, s.d)) if (each.step != 0 && each.step != 5) return false;
        Phase split = s.split.phase;
        Phase merge = s.merge.phase;
        return (split == Phase.BEGINS || split == Phase.OVER)
                && (merge == Phase.BEGINS || merge == Phase.OVER || merge == Phase.USES_AGAIN);
    }

    /** What a search finds from the leftmost leaf on is what is there. */
    private void judge(State s) {
        int keys = 0;
        int count = 0;
        int low = 0;
        int steps = 0;
        for (int at = 0; at >= 0 && steps < 4; steps++) {
            Image image = s.leaf(at).image;
            if (image == Image.DEAD || image.low != low) {
                violations.add(Violation.CHAIN_IS_BROKEN);
                return;
            }
            keys |= image.keys;
            count += Integer.bitCount(image.keys);
            low = image.high;
            at = image.next;
        }
        if (low != END) violations.add(Violation.CHAIN_IS_BROKEN);
        else if (keys != s.truth || count != Integer.bitCount(keys)) violations.add(Violation.KEYS_LOST_OR_DOUBLED);
    }

    // ---- a split and a merge

    private void split(State s) {
        if (s.split.phase == Phase.BEGINS) add(s.with(true, Pair.at(Phase.LOCKS)));
        else pair(s, true, s.split, 'p');
    }

    private void merge(State s) {
        if (s.merge.phase == Phase.BEGINS) {
            if (s.leaf0.image.next == 1) add(s.with(false, Pair.at(Phase.LOCKS)));
        } else if (s.merge.phase == Phase.USES_AGAIN) {
            if (s.leaf1.lock != ' ' || s.leaf1.image != Image.DEAD) return;
            Leaf other = new Leaf(new Image(20, 29, -1, bit(21)), 'z', s.leaf1.isMarked, s.leaf1.lock);
            add(s.with(1, other).with(false, Pair.at(Phase.OVER)));
        } else {
            pair(s, false, s.merge, 'm');
        }
    }

    /** Returns the images after a split or a merge; null if there is nothing to be done. */
    private Plan plan(State s, boolean isSplit) {
        Image zero = s.leaf0.image;
        Image one = s.leaf1.image;
        Image new0;
        Image new1;
        if (isSplit) {
            if (one != Image.DEAD || zero == Image.DEAD || zero.high <= 3 || Integer.bitCount(zero.keys) < 2)
                return null;
            int below = zero.keys & bit(3) - 1;
            new0 = new Image(zero.low, 3, 1, below);
            new1 = new Image(3, zero.high, zero.next, zero.keys & ~below);
        } else {
            if (zero == Image.DEAD || one == Image.DEAD || zero.next != 1 || zero.high != one.low) return null;
            new0 = new Image(zero.low, one.high, one.next, zero.keys | one.keys);
            new1 = mutant == Mutant.MERGE_LEAVES_IMAGE ? one : Image.DEAD;
        }
        return new Plan(zero, s.leaf0.version, one, s.leaf1.version, new0, new1);
    }

    /** The next steps of a transaction on both leaves: it locks both, writes both, and releases both. */
    private void pair(State s, boolean isSplit, Pair t, char me) {
        if (t.phase == Phase.DEAD) {
            recover(s, isSplit, t, me);
            return;
        }
        boolean mayDie = isSplit && mutant != Mutant.SPLIT_KEEPS_VERSION;
        if (mayDie && t.phase != Phase.OVER) add(s.with(isSplit, new Pair(Phase.DEAD, t.first, t.second, t.plan)));
        switch (t.phase) {
            case LOCKS -> lockBoth(s, isSplit, t, me);
            case WRITES -> writeBoth(s, isSplit, t, me);
            case RELEASES -> {
                for (int at = 0; at < 2; at++) {
                    if (at == 0 ? t.first : t.second) continue;
                    Leaf leaf = s.leaf(at);
                    Leaf free = leaf;
                    if (leaf.lock == me) free = new Leaf(leaf.image, leaf.version, false, ' ');
                    else if (leaf.version == me) free = new Leaf(leaf.image, leaf.version, false, leaf.lock);
                    add(s.with(at, free)
                            .with(isSplit, new Pair(Phase.RELEASES, t.first || at == 0, t.second || at == 1, t.plan)));
                }
                if (t.first && t.second) add(s.with(isSplit, Pair.at(isSplit ? Phase.OVER : Phase.USES_AGAIN)));
            }
            default -> {}
        }
    }

    private void lockBoth(State s, boolean isSplit, Pair t, char me) {
        if (!t.first) {
            if (s.leaf0.lock == ' ')
                add(s.with(0, s.leaf0.lock(me)).with(isSplit, new Pair(Phase.LOCKS, true, t.second, null)));
        } else if (!t.second) {
            Pair both = new Pair(Phase.LOCKS, true, true, null);
            if (mutant == Mutant.LOCK_ONE_LEAF) add(s.with(isSplit, both));
            else if (s.leaf1.lock == ' ') add(s.with(1, s.leaf1.lock(me)).with(isSplit, both));
            else add(s.with(0, s.leaf0.lock(' ')).with(isSplit, Pair.at(Phase.OVER)));
        } else {
            Plan plan = plan(s, isSplit);
            if (plan == null) add(free(s, me).with(isSplit, Pair.at(Phase.OVER)));
            else add(s.with(isSplit, new Pair(Phase.WRITES, false, false, plan)));
        }
    }

    private static State free(State s, char me) {
        return s.with(
                s.leaf0.lock == me ? s.leaf0.lock(' ') : s.leaf0, s.leaf1.lock == me ? s.leaf1.lock(' ') : s.leaf1);
    }

    private void writeBoth(State s, boolean isSplit, Pair t, char me) {
        for (int at = 0; at < 2; at++) {
            if (at == 0 ? t.first : t.second) continue;
            Leaf leaf = s.leaf(at);
            Image image = at == 0 ? t.plan.new0 : t.plan.new1;
            Leaf written;
            if (mutant == Mutant.RELEASE_EACH_AT_ONCE) {
                written = new Leaf(image, me, false, ' ');
            } else {
                Mutant keeping = isSplit ? Mutant.SPLIT_KEEPS_VERSION : Mutant.MERGE_KEEPS_VERSION;
                boolean isKept = at == 0 && mutant == keeping;
                written = new Leaf(image, isKept ? leaf.version : me, true, leaf.lock);
            }
            add(s.with(at, written)
                    .with(isSplit, new Pair(Phase.WRITES, t.first || at == 0, t.second || at == 1, t.plan)));
        }
        if (t.first && t.second) add(s.with(isSplit, new Pair(Phase.RELEASES, false, false, t.plan)));
    }

    /** FORD's rule: if all leaves that are still locked were written, the locks are freed; otherwise all is undone. */
    private void recover(State s, boolean isSplit, Pair t, char me) {
        boolean[] mine = {s.leaf0.lock == me, s.leaf1.lock == me};
        State over = s.with(isSplit, Pair.at(Phase.OVER));
        if (!mine[0] && !mine[1]) {
            add(over);
        } else if (t.plan == null) {
            add(free(over, me));
        } else {
            boolean isFull = (!mine[0] || s.leaf0.version == me) && (!mine[1] || s.leaf1.version == me);
            if (mutant == Mutant.RECOVER_FROM_ONE) isFull = s.leaf0.version == me;
            State next = over;
            for (int at = 0; at < 2; at++) {
                if (!mine[at]) continue;
                Leaf leaf = s.leaf(at);
                Leaf after = leaf.lock(' ');
                if (isFull) {
                    after = new Leaf(leaf.image, leaf.version, false, ' ');
                } else if (leaf.version == me) {
                    Image image = at == 0 ? t.plan.image0 : t.plan.image1;
                    after = new Leaf(image, at == 0 ? t.plan.version0 : t.plan.version1, false, ' ');
                }
                next = next.with(at, after);
            }
            add(next);
        }
    }

    // ---- inserts and deletes

    private void use(State s, Actor actor) {
        int key = actor == Actor.I_INSERTS ? 4 : actor == Actor.J_INSERTS ? 2 : 3;
        char me = actor == Actor.I_INSERTS ? 'i' : actor == Actor.J_INSERTS ? 'j' : 'd';
        User user = s.user(actor);
        int at = user.at;
        switch (user.step) {
            case 0 -> {
                for (int hint = 0; hint < 2; hint++) {
                    Leaf leaf = s.leaf(hint);
                    if (leaf.isMarked || leaf.image == Image.DEAD || key < leaf.image.low) continue;
                    if (key < leaf.image.high) add(s.with(actor, new User(1, hint)));
                    else if (leaf.image.next >= 0) add(s.with(actor, new User(1, leaf.image.next)));
                }
            }
            case 1 -> {
                if (mutant == Mutant.INSERT_WITHOUT_LOCK) add(s.with(actor, new User(2, at)));
                else if (s.leaf(at).lock == ' ')
                    add(s.with(at, s.leaf(at).lock(me)).with(actor, new User(2, at)));
                else add(s.with(actor, SEARCHING));
            }
            case 2 -> write(s, actor, key, me, at);
            case 3 -> add(s.with(actor, new User(4, at)).knowing(s.truth, s.reported | bit(actor.ordinal())));
            case 4 -> {
                Leaf leaf = s.leaf(at);
                add(s.with(at, new Leaf(leaf.image, leaf.version, false, ' ')).with(actor, ENDED));
            }
            default -> {}
        }
    }

    private void write(State s, Actor actor, int key, char me, int at) {
        Leaf leaf = s.leaf(at);
        Image image = leaf.image;
        boolean isIn = image.covers(key) || mutant == Mutant.NO_LOOK_UNDER_THE_LOCK && image != Image.DEAD;
        boolean isDelete = actor == Actor.D_DELETES;
        if (!isIn) {
            add(s.with(at, leaf.lock(' ')).with(actor, SEARCHING));
        } else if (isDelete && !isIn(key, image.keys)) {
            add(s.with(at, leaf.lock(' ')).with(actor, ENDED));
        } else {
            int keys = isDelete ? image.keys & ~bit(key) : image.keys | bit(key);
            char version = mutant == Mutant.INSERT_KEEPS_VERSION ? leaf.version : me;
            Leaf written = new Leaf(new Image(image.low, image.high, image.next, keys), version, true, leaf.lock);
            int truth = isDelete ? s.truth & ~bit(key) : s.truth | bit(key);
            add(s.with(at, written).with(actor, new User(3, at)).knowing(truth, s.reported));
        }
    }

    // ---- the scan

    private void scan(State s) {
        Scan q = s.scan;
        switch (q.step) {
            case 0 -> {
                for (int hint = 0; hint < 2; hint++) add(s.with(new Scan(1, hint, List.of(), 0, s.reported, 0)));
            }
            case 1 -> read(s, q);
            case 2 -> {
                Leaf leaf = s.leaf(q.seen.get(q.position).at);
                int truth = q.position == 0 ? s.truth : q.truth;
                add(s.with(new Scan(leaf.lock == ' ' ? 3 : 4, 0, q.seen, q.position, q.reported, truth)));
            }
            case 3 -> validate(s, q);
            default -> {}
        }
    }

    private void read(State s, Scan q) {
        Leaf leaf = s.leaf(q.at);
        Image image = leaf.image;
        int want = q.seen.isEmpty() ? 0 : q.seen.getLast().image.high;
        boolean fits = q.seen.isEmpty() ? image.low <= want && want < image.high : image.low == want;
        if (q.seen.isEmpty() ? mutant == Mutant.START_ANYWHERE : mutant == Mutant.FOLLOW_WITHOUT_FENCE) fits = true;
        if (leaf.isMarked || leaf.lock != ' ' || image == Image.DEAD || !fits) {
            add(s.with(Scan.BEGINS));
            return;
        }
        List<Seen> seen = new ArrayList<>(q.seen);
        seen.add(new Seen(q.at, leaf.version, image));
        boolean isOver = image.high >= END || seen.size() > 3 || image.next < 0;
        add(s.with(new Scan(isOver ? 2 : 1, isOver ? 0 : image.next, List.copyOf(seen), 0, q.reported, 0)));
    }

    private void validate(State s, Scan q) {
        Seen seen = q.seen.get(q.position);
        Leaf leaf = s.leaf(seen.at);
        boolean isSame = leaf.version == seen.version && !leaf.isMarked;
        if (mutant == Mutant.LAST_LEAF_ONLY && q.position < q.seen.size() - 1) isSame = true;
        if (mutant == Mutant.EMPTY_LEAF_UNCHECKED && seen.image.keys == 0) isSame = true;
        if (!isSame) {
            add(s.with(Scan.OVER));
        } else if (q.position + 1 < q.seen.size()) {
            add(s.with(new Scan(2, 0, q.seen, q.position + 1, q.reported, q.truth)));
        } else {
            judge(q);
            add(s.with(Scan.OVER));
        }
    }

    private void judge(Scan q) {
        int keys = 0;
        int count = 0;
        for (Seen each : q.seen) {
            int below = each.image.keys & bit(END) - 1;
            keys |= below;
            count += Integer.bitCount(below);
        }
        if (count != Integer.bitCount(keys)) violations.add(Violation.KEY_TWICE);
        if (keys != q.truth) violations.add(Violation.PHANTOM);
        boolean misses = isIn(Actor.I_INSERTS.ordinal(), q.reported) && !isIn(4, keys)
                || isIn(Actor.J_INSERTS.ordinal(), q.reported) && !isIn(2, keys);
        if (misses) violations.add(Violation.REPORTED_INSERT_IS_MISSED);
    }
}
