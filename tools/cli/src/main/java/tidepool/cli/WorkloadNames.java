package tidepool.cli;

import java.util.ArrayList;
import java.util.List;
import tidepool.workload.measured.Workloads;

/** The names of the measurable workloads, for help and completion. */
final class WorkloadNames extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    WorkloadNames() {
        super(all());
    }

    static List<String> all() {
        return Workloads.names();
    }
}
