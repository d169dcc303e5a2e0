package tidepool.cli;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.protocol.Protocols;
import tidepool.spi.Steward;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;
import tidepool.store.StoreException;
import tidepool.zookeeper.FillProgress;
import tidepool.zookeeper.NodeEntry;
import tidepool.zookeeper.ZooKeeperMembership;

/**
 * Carries out a planned reconfiguration of a pool, step by step, and reports progress. Other processes that use the
 * pool may help.
 */
final class PoolChange implements AutoCloseable {
    private static final long LOOK_MILLIS = 50;
    private static final long SAY_NANOS = 1_000_000_000L;

    /** The time without progress after which a command gives up; longer than usual leases and votes. */
    private static final long STUCK_NANOS = 60_000_000_000L;

    /** The time for which a silent member is waited for, in which the processes of the pool agree on its removal. */
    private static final long SILENT_NANOS = 15_000_000_000L;

    private final ZooKeeperMembership membership;
    private final Steward steward;
    private final Consumer<String> out;
    private final int replicas;
    private long nextWord;
    private Roster stuckAt; // the roster at which there is no progress; stuckSince says since when
    private long stuckSince;

    PoolChange(PoolPlace pool, Consumer<String> out) {
        this.membership = pool.open();
        this.out = out;
        FabricUrl whole = pool.whole(membership);
        PoolOptions options = PoolOptions.of(whole);
        this.replicas = options.replicas();
        this.steward = new Steward(membership, options, Protocols.of(whole));
    }

    int replicas() {
        return replicas;
    }

    /** Completes every reconfiguration and fill that is under way, and returns the roster. */
    Roster settled() {
        while (true) {
            Roster roster = membership.read();
            if (roster.steady() && !roster.isFilling()) return roster;
            try {
                if (steward.tend()) continue;
            } catch (FabricException e) {
                // Another process is changing the pool, or a node has just died: the loop looks again.
                requireProgress(roster, e);
            }
            say(roster);
            pause();
        }
    }

    private void requireProgress(Roster roster, FabricException e) {
        long now = System.nanoTime();
        if (!roster.equals(stuckAt)) {
            stuckAt = roster;
            stuckSince = now;
        }
        if (now - stuckSince > STUCK_NANOS) throw new UserError(e.getMessage() + hint(roster));
    }

    /** Returns advice about members that do not answer; empty if all answer. */
    String hint(Roster roster) {
        List<String> silent = silent(roster);
        return silent.isEmpty()
                ? ""
                : "; " + String.join(", ", silent) + (silent.size() == 1 ? " does" : " do")
                        + " not answer: ./tidepool pool remove --force takes members out without asking them";
    }

    /** Returns the members that do not answer this process. */
    List<String> silent(Roster roster) {
        return roster.members().stream()
                .filter(member -> !membership.answers(member))
                .map(Roster.Member::identity)
                .toList();
    }

    private void say(Roster roster) {
        if (System.nanoTime() < nextWord) return;
        nextWord = System.nanoTime() + SAY_NANOS;
        long done = 0;
        long all = 0;
        for (FillProgress.Entry filling : membership.fillings()) {
            done += filling.done();
            all += filling.all();
        }
        long copies =
                roster.partitions().stream().mapToLong(p -> p.filling().size()).sum();
        out.accept("epoch " + roster.epoch() + (roster.steady() ? "" : ", changing") + ": " + copies
                + " copies to be filled"
                + (all == 0 ? "" : ", " + Quantities.bytes(done) + " of " + Quantities.bytes(all)));
    }

    /**
     * Does the maintenance of any process that has the pool open: takes out members that are gone and fills copies,
     * until nothing is left to do. Throws a {@link UserError} if the last whole copy of a partition would be lost.
     */
    Roster cared() {
        long silentUntil = System.nanoTime() + SILENT_NANOS;
        while (true) {
            Roster roster = membership.read();
            try {
                if (steward.tend()) continue;
                boolean calm = roster.steady()
                        && !roster.isFilling()
                        && roster.members().stream().noneMatch(membership::isMissing)
                        && (System.nanoTime() > silentUntil || silent(roster).isEmpty());
                if (calm && roster.equals(membership.read())) return roster;
            } catch (StoreException e) {
                throw new UserError(e.getMessage());
            } catch (FabricException e) {
                // Another process is changing the pool, or a node has just died: the loop looks again.
                requireProgress(roster, e);
            }
            say(roster);
            pause();
        }
    }

    /** Takes members out without asking them, even during another reconfiguration, and has copies filled elsewhere. */
    void force(Set<String> identities) {
        while (true) {
            Roster from = membership.read();
            Set<Integer> leaving = new TreeSet<>();
            for (String identity : identities) if (from.position(identity) >= 0) leaving.add(from.position(identity));
            if (leaving.isEmpty()) break;
            MemberCopies memberCopies = new MemberCopies(membership, from, leaving);
            if (memberCopies.refusal() != null) throw new UserError(memberCopies.refusal());
            steward.change(from, RosterPlan.refill(RosterPlan.without(from, leaving), replicas));
        }
        Roster now = settled();
        out.accept("epoch " + now.epoch() + ": " + now.members().size() + " nodes");
    }

    ZooKeeperMembership membership() {
        return membership;
    }

    /** Takes one step from the settled roster to the planned one. Returns false if the plan changes nothing. */
    boolean step(UnaryOperator<Roster> plan) {
        while (true) {
            Roster from = settled();
            Roster to;
            try {
                to = plan.apply(from);
            } catch (IllegalArgumentException | StoreException e) {
                throw new UserError(e.getMessage());
            }
            if (to.equals(from)) return false;
            steward.change(from, to);
            Roster now = settled();
            if (now.epoch() >= to.epoch()) {
                out.accept("epoch " + now.epoch() + ": " + now.members().size() + " nodes");
                return true;
            }
        }
    }

    /** Returns the member of that name, identity or address. */
    int member(Roster roster, String name) {
        int found = -1;
        for (int i = 0; i < roster.members().size(); i++) {
            Roster.Member member = roster.members().get(i);
            if (!member.identity().equals(name)
                    && !member.identity().replaceAll("#.*", "").equals(name)
                    && !member.address().equals(name)) continue;
            if (found >= 0) throw new UserError("several members are called " + name + ": name one by its identity");
            found = i;
        }
        if (found < 0) throw new UserError("the pool has no member " + name);
        return found;
    }

    /**
     * Returns the identity of a live member of that name, or null if there is none or a registered non-member has that
     * name too.
     */
    String liveMember(String name) {
        Roster roster = membership.read();
        String found = null;
        for (NodeEntry node : membership.nodes()) {
            if (!isCalled(node, name) || membership.isGone(node.member())) continue;
            if (roster.position(node.identity()) < 0) return null;
            found = node.identity();
        }
        return found;
    }

    private static boolean isCalled(NodeEntry node, String name) {
        return node.name().equals(name)
                || node.identity().equals(name)
                || node.address().equals(name);
    }

    /** Returns the node of that name which is registered and not a member. */
    Roster.Member stranger(String name) {
        NodeEntry found = null;
        for (NodeEntry node : membership.nodes()) {
            if (!isCalled(node, name) || membership.read().position(node.identity()) >= 0) continue;
            if (membership.isGone(node.member())) continue; // an earlier life whose registration ZooKeeper still holds
            if (found != null) throw new UserError("several nodes are called " + name + ": name one by its identity");
            found = node;
        }
        if (found == null)
            throw new UserError(
                    "no node " + name + " has registered that is not a member: start it by ./tidepool node --zk");
        return found.member();
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("interrupted; the change goes on where somebody uses the pool");
        }
    }

    @Override
    public void close() {
        steward.close();
        membership.close();
    }
}
