package tidepool.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tidepool.workload.measured.MeasuredWorkload;

/** The systems that the paper compares, as protocols with switches, and the placement of tables in its pool. */
final class Systems {
    static final String FARM = "FaRM";
    static final String DRTMH = "DrTM+H";
    static final String FORD = "FORD";
    static final String FORD_LV = "FORD-LV";

    /** All systems in the order of the paper. */
    static final List<String> ALL = List.of(FARM, DRTMH, FORD, FORD_LV);

    /** Enough for every version of every row of these workloads (FORD §6.3.2: Vcache takes 1 GB). */
    private static final String VCACHE = "vcachebytes=128m";

    /** Tables that lie on the node of another table. */
    private static final Map<String, String> LEADERS = Map.of(
            "call_forwarding", "special_facility",
            "history", "customer",
            "customer_by_name", "customer",
            "new_order", "order",
            "order_line", "order",
            "last_order", "order",
            "oldest_new_order", "order");

    private Systems() {}

    /**
     * Returns the protocol of a system. All are as published in the number of trips: FORD reads from backups, and the
     * outcome is known when all replicas are written. None flushes. The paper's FORD flushes in two trips; ours needs a
     * third so that the log survives a loss of power. The other two do not flush at all.
     */
    static String protocol(String system) {
        return switch (system) {
            case FARM -> "farm";
            case DRTMH -> "drtmh?report=commit";
            case FORD -> "ford?reads=backup";
            case FORD_LV -> "ford-lv?" + VCACHE;
            default -> throw new IllegalArgumentException("unknown system: " + system);
        };
    }

    /**
     * Returns the node of each table on two nodes. Tables are placed in turn, by their number; tables that belong
     * together share a node (FORD's artifact).
     */
    static List<Integer> homes(MeasuredWorkload workload) {
        return homes(workload, 2);
    }

    /** Returns the node of each table on this number of nodes. */
    static List<Integer> homes(MeasuredWorkload workload, int nodes) {
        List<String> names =
                workload.tables().stream().map(table -> table.schema().name()).toList();
        List<Integer> homes = new ArrayList<>();
        for (String name : names) homes.add(names.indexOf(LEADERS.getOrDefault(name, name)) % nodes);
        return homes;
    }
}
