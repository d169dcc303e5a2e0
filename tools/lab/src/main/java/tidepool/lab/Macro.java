package tidepool.lab;

import java.util.List;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/** The paper's three macro-benchmarks (§6.1), as its artifact runs them. */
enum Macro {
    TATP("TATP", "tatp"),
    SMALL_BANK("SmallBank", "smallbank"),
    TPCC("TPCC", "tpcc");

    final String text;
    private final String workload;

    Macro(String text, String workload) {
        this.text = text;
        this.workload = workload;
    }

    /** All benchmarks in the order of the paper. */
    static final List<Macro> ALL = List.of(values());

    /**
     * Returns the workload at the scale of the artifact. A quick run has fewer subscribers, whose versions are read
     * sooner.
     */
    MeasuredWorkload workload(Lab lab) {
        String size = this == TATP && lab.quick() ? "?subscribers=20000" : "";
        return Workloads.named(workload + size, Scale.PAPER);
    }

    /** Returns the window. Transactions of TPC-C take hundreds of microseconds. */
    Lab.Window window(Lab lab) {
        return this == TPCC ? lab.longWindow() : lab.shortWindow();
    }
}
