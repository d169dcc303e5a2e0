package tidepool.verbs;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import tidepool.base.Id128;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.FabricException;
import tidepool.fabric.Session;
import tidepool.sim.CoveragePoint;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;

/** State that the strands of a run share: the pool, the revoked sessions, and the models of the areas. */
final class RunContext {
    private static final long RETRY_NANOS = 50_000;
    private static final int MAX_RETRIES = 100_000;

    final VerbsOptions options;
    final ClientRules rules;
    final Simulation simulation;
    final SimFabric fabric;
    final Id128[] capabilities;
    final List<Session> sessions = new ArrayList<>();
    final StrandSlot[] slots;
    final CellsArea cells;
    final CountersArea counters;
    final GuardedArea guarded;
    final LitmusArea litmus;

    /** Sessions that every node has acknowledged to be revoked. */
    private final BitSet revoked = new BitSet();

    long turns;
    private long connections;

    RunContext(VerbsOptions options, ClientRules rules, Simulation simulation, SimFabric fabric) {
        this.options = options;
        this.rules = rules;
        this.simulation = simulation;
        this.fabric = fabric;
        long end = 0;
        this.cells = new CellsArea(this, end);
        end += cells.bytes();
        this.counters = new CountersArea(this, end);
        end += counters.bytes();
        this.guarded = new GuardedArea(this, end);
        end += guarded.bytes();
        this.litmus = new LitmusArea(this, end);
        end += litmus.bytes();
        this.capabilities = new Id128[options.nodes()];
        for (int node = 0; node < options.nodes(); node++)
            capabilities[node] = fabric.control(node).createRegion(end);
        this.slots = new StrandSlot[options.strands()];
        for (int i = 0; i < slots.length; i++) slots[i] = new StrandSlot(this, i);
    }

    /** Returns the number of power failures so far. What was seen in another era proves nothing about this one. */
    long era() {
        return simulation.coverage().count(CoveragePoint.POWER_FAILED);
    }

    long nextConnection() {
        return ++connections;
    }

    boolean isRevoked(long session) {
        return revoked.get((int) session);
    }

    /** Whether the strand that works under this session has died. */
    boolean hasDied(long session) {
        for (StrandSlot slot : slots)
            if (slot.session != null && slot.session.number() == session) return slot.hasDied();
        return true; // the session was replaced, and its own strand has revoked it
    }

    /**
     * Revokes a session at every node; when it returns nothing of it can land any more. Waits for nodes that are down.
     */
    void revoke(int session) {
        for (int node = 0; node < options.nodes(); node++) {
            if (!rules.revokesAt(node, options.nodes())) continue;
            int at = node;
            untilAnswered(() -> fabric.control(at).revoke(session));
        }
        revoked.set(session);
    }

    /** Frees room in the tables of the nodes; a forgotten session stays refused. */
    void forget(int session) {
        for (int node = 0; node < options.nodes(); node++) {
            int at = node;
            untilAnswered(() -> fabric.control(at).forget(session));
        }
    }

    /** Repeats a control call that fails because a node is down. */
    void untilAnswered(Runnable question) {
        for (int tries = 0; ; tries++) {
            try {
                question.run();
                return;
            } catch (FabricException e) {
                if (e.reason() == FabricException.Reason.REFUSED) throw e;
                Violation.unless(tries < MAX_RETRIES, "nodes", "a memory node does not come back: " + e.getMessage());
                Waiting.pause(RETRY_NANOS);
            }
        }
    }

    /** Returns a word of the node's memory, read without a verb, after everything has landed. */
    long word(int node, long offset) {
        return Words.plain(fabric.memory(node).region(0).data(), offset);
    }

    /** After everything has landed: compares the memory of the nodes with what the models allow. */
    void checkEnd() {
        cells.checkEnd();
        counters.checkEnd();
        guarded.checkEnd();
        litmus.checkEnd();
    }
}
