package tidepool.history;

import static tidepool.history.Graph.PROCESS;
import static tidepool.history.Graph.REALTIME;
import static tidepool.history.Graph.RW;
import static tidepool.history.Graph.RW_IN_TIME;
import static tidepool.history.Graph.WR;
import static tidepool.history.Graph.WR_IN_TIME;
import static tidepool.history.Graph.WW;

import tidepool.history.Walk.Rule;

/**
 * Finds cycles, the gravest kind first.
 *
 * <pre>
 *   kind            may use      the cycle has
 *   G0              ww           only ww
 *   G1c             ww wr        at least one wr
 *   G-single        ww wr rw     exactly one rw
 *   G-nonadjacent   ww wr rw     several rw, no two of them neighbours
 *   G2-item         ww wr rw     two rw that are neighbours
 *   G2              ww wr rw     two rw that are neighbours, and one by a row that a range read did not return
 * </pre>
 *
 * The search is repeated with the order of each process, and with real time. Whether there is a cycle is answered by
 * components, in linear time and exactly. The two kinds in the middle use pairs of node and "the last edge was rw",
 * because snapshot isolation forbids precisely the walks that never take two rw in a row (Cerone, Gotsman: "Analysing
 * Snapshot Isolation", 2016). Effort is needed only to find a small cycle.
 */
final class CycleSearch {
    private static final AnomalyKind[] PLAIN = {
        AnomalyKind.G0,
        AnomalyKind.G1C,
        AnomalyKind.G_SINGLE,
        AnomalyKind.G_NONADJACENT,
        AnomalyKind.G2_ITEM,
        AnomalyKind.G2
    };
    private static final AnomalyKind[] BY_PROCESS = {
        AnomalyKind.G0_PROCESS,
        AnomalyKind.G1C_PROCESS,
        AnomalyKind.G_SINGLE_PROCESS,
        AnomalyKind.G_NONADJACENT_PROCESS,
        AnomalyKind.G2_ITEM_PROCESS,
        AnomalyKind.G2_PROCESS
    };
    private static final AnomalyKind[] BY_REALTIME = {
        AnomalyKind.G0_REALTIME,
        AnomalyKind.G1C_REALTIME,
        AnomalyKind.G_SINGLE_REALTIME,
        AnomalyKind.G_NONADJACENT_REALTIME,
        AnomalyKind.G2_ITEM_REALTIME,
        AnomalyKind.G2_REALTIME
    };

    private final Graph graph;
    private final AnomalyCollector anomalies;
    private final Narrator narrator;
    private final long effort;
    /**
     * Nodes of cycles that were already explained with fewer kinds of edge: cycles that need process order or real time
     * are searched without them.
     */
    private final boolean[] explained;

    private final boolean[] told;
    private ShortestCycle shortest;

    CycleSearch(Graph graph, AnomalyCollector anomalies, Narrator narrator, long effort) {
        this.graph = graph;
        this.anomalies = anomalies;
        this.narrator = narrator;
        this.effort = effort;
        this.explained = new boolean[graph.nodes()];
        this.told = new boolean[graph.nodes()];
    }

    void run() {
        // A graph without any cycle, the expected case, needs one pass.
        if (components(WW | WR | RW | PROCESS | REALTIME | WR_IN_TIME | RW_IN_TIME, Rule.FREE)
                        .count()
                == 0) return;
        shortest = new ShortestCycle(graph);
        search(0, PLAIN);
        search(PROCESS, BY_PROCESS);
        search(PROCESS | REALTIME, BY_REALTIME);
    }

    private void search(int extra, AnomalyKind[] kinds) {
        // What follows only together with real time proves nothing without it.
        boolean hasTime = (extra & REALTIME) != 0;
        int wr = hasTime ? WR | WR_IN_TIME : WR;
        int rw = hasTime ? RW | RW_IN_TIME : RW;
        int reads = WW | wr | extra;
        Components all = components(reads | rw, Rule.FREE);
        if (all.count() == 0) return;
        each(components(WW | extra, Rule.FREE), kinds[0], WW, WW | extra, Rule.FREE);
        each(components(reads, Rule.FREE), kinds[1], wr, reads, Rule.FREE);
        separate(reads, rw, kinds[2], kinds[3]);
        paired(all, reads, rw, kinds[4], kinds[5]);
        for (int c = 0; c < all.count(); c++) {
            for (int i = all.first(c); i < all.first(c + 1); i++) explained[Walk.node(all.member(i))] = true;
        }
    }

    private void each(Components components, AnomalyKind kind, int startKind, int mask, Rule rule) {
        for (int c = 0; c < components.count(); c++) {
            report(kind, find(kind, mask, rule, startKind, components, c));
        }
    }

    /**
     * Reports cycles that refute snapshot isolation by an anti-dependency: with a single one if there is such a cycle,
     * else with several.
     */
    private void separate(int reads, int rw, AnomalyKind single, AnomalyKind several) {
        Components components = components(reads | rw, Rule.SEPARATE);
        for (int c = 0; c < components.count(); c++) {
            Cycle cycle = find(single, reads, Rule.SEPARATE, rw, components, c);
            if (cycle == null) cycle = find(several, reads | rw, Rule.SEPARATE, rw, components, c);
            if (cycle != null) report(cycle.count(graph, rw) == 1 ? single : several, cycle);
        }
    }

    private void paired(Components components, int reads, int rw, AnomalyKind ofRows, AnomalyKind ofRanges) {
        for (int c = 0; c < components.count(); c++) {
            Cycle cycle = find(ofRows, reads | rw, Rule.PAIRED, rw, components, c);
            // A component without a reported cycle has no other cycles than these, so any will do.
            if (cycle == null && !isTold(components, c)) {
                cycle = find(ofRows, reads | rw, Rule.FREE, rw, components, c);
            }
            boolean isPhantom = cycle != null && narrator.hasPhantom(graph, cycle);
            report(isPhantom ? ofRanges : ofRows, cycle);
        }
    }

    private boolean isTold(Components components, int component) {
        for (int i = components.first(component); i < components.first(component + 1); i++) {
            if (told[Walk.node(components.member(i))]) return true;
        }
        return false;
    }

    private Cycle find(AnomalyKind kind, int mask, Rule rule, int startKind, Components components, int component) {
        // A cycle that is only counted need not be small.
        long limit = anomalies.wants(kind) ? effort : 0;
        return shortest.find(new Walk(graph, mask, rule, explained), startKind, components, component, limit);
    }

    private void report(AnomalyKind kind, Cycle cycle) {
        if (cycle == null) return;
        told[cycle.origin()] = true;
        for (int edge : cycle.edges()) told[graph.target(edge)] = true;
        anomalies.add(kind, () -> narrator.cycle(graph, cycle), narrator.transactions(graph, cycle));
    }

    private Components components(int mask, Rule rule) {
        return Components.of(new Walk(graph, mask, rule, explained));
    }
}
