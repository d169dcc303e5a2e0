package tidepool.cli;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import tidepool.Steward;
import tidepool.cluster.FillProgress;
import tidepool.cluster.NodeEntry;
import tidepool.cluster.ZooKeeperMembership;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.protocol.Protocols;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.StoreException;

/** Carries a planned change of a pool out, step by step, and says how far it is. Others who use the pool may help. */
final class PoolChange implements AutoCloseable {
    private static final long LOOK_MILLIS = 50;
    private static final long SAY_NANOS = 1_000_000_000L;

    private final ZooKeeperMembership membership;
    private final Steward steward;
    private final Consumer<String> out;
    private final int replicas;
    private long nextWord;

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

    /** The roster when nothing is under way; whatever is, is done first. */
    Roster settled() {
        while (true) {
            Roster roster = membership.read();
            if (roster.steady() && !roster.isFilling()) return roster;
            try {
                if (steward.tend()) continue;
            } catch (FabricException e) {
                // Another one is at it, or a node has just died: looked at again.
            }
            say(roster);
            pause();
        }
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
     * Does what any process would do that has the pool open: takes out members that are gone, and has copies filled, until
     * nothing is left to do. Fails with a sentence if the last whole copy of something would be lost.
     */
    Roster cared() {
        while (true) {
            Roster roster = membership.read();
            try {
                if (steward.tend()) continue;
                boolean calm = roster.steady()
                        && !roster.isFilling()
                        && roster.members().stream().noneMatch(membership::isMissing);
                if (calm && roster.equals(membership.read())) return roster;
            } catch (StoreException e) {
                throw new UserError(e.getMessage());
            } catch (FabricException e) {
                // Another one is at it, or a node has just died: looked at again.
            }
            say(roster);
            pause();
        }
    }

    ZooKeeperMembership membership() {
        return membership;
    }

    /** One step: from what is settled to what the plan makes of it. False if the plan changes nothing. */
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

    /** The member that is called so, by name, identity or address. */
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

    /** The identity of a member that is called so and lives, if there is one and no stranger of that name. */
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

    /** A node that is registered and not a member. */
    Roster.Member stranger(String name) {
        NodeEntry found = null;
        for (NodeEntry node : membership.nodes()) {
            if (!isCalled(node, name) || membership.read().position(node.identity()) >= 0) continue;
            if (membership.isGone(node.member())) continue; // an earlier life, which ZooKeeper has not forgotten yet
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
