package tidepool.lab;

import java.util.List;
import java.util.Locale;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.TableSpec;

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
        List<TableSpec> tables = workload.tables();
        return java.util.stream.IntStream.range(0, tables.size())
                .map(i -> homeOf(tables, i))
                .boxed()
                .toList();
    }

    private static int homeOf(List<TableSpec> tables, int number) {
        String leader = leaderOf(tables.get(number).schema().name().toLowerCase(Locale.ROOT));
        for (int i = 0; i < tables.size(); i++)
            if (tables.get(i).schema().name().toLowerCase(Locale.ROOT).equals(leader)) return i % LabPool.NODES;
        return number % LabPool.NODES;
    }

    private static String leaderOf(String table) {
        return table;
    }
}
