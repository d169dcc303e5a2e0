package tidepool.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tidepool.workload.measured.MeasuredWorkload;

/** The systems that the paper compares, as protocols with switches; and where tables lie in its pool. */
final class Systems {
    static final String FARM = "FaRM";
    static final String DRTMH = "DrTM+H";
    static final String FORD = "FORD";
    static final String FORD_LV = "FORD-LV";

    /** In the order of the paper. */
    static final List<String> ALL = List.of(FARM, DRTMH, FORD, FORD_LV);

    /** Enough for every version of every row of these workloads (FORD §6.3.2: Vcache takes 1 GB). */
    private static final String VCACHE = "vcachebytes=128m";

    /** Tables that lie where another one lies. */
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
     * The protocol of a system. All of them as published as far as trips go: FORD reads from backups, and the outcome is
     * told when all replicas are written. None flushes: the paper's FORD does in two trips, ours needs a third for the log
     * to be of use after a loss of power, and the other two do not flush at all.
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

    /** Tables lie on the nodes in turn, by their number; those that belong together lie together (FORD's artifact). */
    static List<Integer> homes(MeasuredWorkload workload) {
        return homes(workload, 2);
    }

    /** The same on so many nodes. */
    static List<Integer> homes(MeasuredWorkload workload, int nodes) {
        List<String> names =
                workload.tables().stream().map(table -> table.schema().name()).toList();
        List<Integer> homes = new ArrayList<>();
        for (String name : names) homes.add(names.indexOf(LEADERS.getOrDefault(name, name)) % nodes);
        return homes;
    }
}
