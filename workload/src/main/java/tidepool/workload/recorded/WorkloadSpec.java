package tidepool.workload.recorded;

import java.util.List;
import tidepool.Tidepool;
import tidepool.workload.ListAppend;
import tidepool.workload.RecordedWorkload;
import tidepool.workload.Rows;

/**
 * Which workload runs on which table; travels to client processes as words of their command line.
 *
 * @param keys lists in use at a time, or rows
 * @param longest elements of a full list
 * @param rows lists that there is room for
 */
record WorkloadSpec(String name, String table, int keys, int longest, int rows) {
    /** The workload on a pool; its table is made if there is none. */
    RecordedWorkload open(Tidepool pool) {
        return name.equals("append") ? new ListAppend(pool, table, keys, longest, rows) : new Rows(pool, table, keys);
    }

    List<String> words() {
        return List.of(name, table, "" + keys, "" + longest, "" + rows);
    }

    static WorkloadSpec parse(List<String> words) {
        return new WorkloadSpec(
                words.get(0),
                words.get(1),
                Integer.parseInt(words.get(2)),
                Integer.parseInt(words.get(3)),
                Integer.parseInt(words.get(4)));
    }

    /** A name that no table of the pool has: what an earlier run left would look like garbage to the check. */
    static String freeTable(Tidepool pool, String name) {
        String candidate = name;
        for (int i = 2; isTaken(pool, candidate); i++) candidate = name + "-" + i;
        return candidate;
    }

    private static boolean isTaken(Tidepool pool, String name) {
        return pool.tables().stream().anyMatch(table -> table.name().equals(name));
    }
}
