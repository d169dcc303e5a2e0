package tidepool.workload.recorded;

import java.util.List;
import tidepool.Tidepool;
import tidepool.workload.ListAppend;
import tidepool.workload.RecordedWorkload;
import tidepool.workload.RowsWorkload;

/**
 * A workload and its table, which are passed to client processes as words of their command line.
 *
 * @param keys lists in use at a time, or rows
 * @param longest elements of a full list
 * @param rows number of lists for which there is room
 */
record WorkloadSpec(String name, String table, int keys, int longest, int rows) {
    /** Opens the workload on a pool. Creates its table if there is none. */
    RecordedWorkload open(Tidepool pool) {
        return name.equals("append")
                ? new ListAppend(pool, table, keys, longest, rows)
                : new RowsWorkload(pool, table, keys);
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

    /**
     * Returns a name that no table of the pool has. Otherwise rows of an earlier run would look like corruption to the
     * check.
     */
    static String freeTable(Tidepool pool, String name) {
        String candidate = name;
        for (int i = 2; isTaken(pool, candidate); i++) candidate = name + "-" + i;
        return candidate;
    }

    private static boolean isTaken(Tidepool pool, String name) {
        return pool.tables().stream().anyMatch(table -> table.name().equals(name));
    }
}
