package tidepool.lab;

import java.util.Locale;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/** The paper's micro-benchmark (§6.1): a million pairs in one table, so one node has all primaries. */
final class KvsFigures {
    /** The two access patterns, as the figures call them. */
    enum Access {
        SKEWED("0.99"),
        UNIFORM("0");

        private final String zipf;

        Access(String zipf) {
            this.zipf = zipf;
        }

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private KvsFigures() {}

    static MeasuredWorkload of(Lab lab, Access access, int objects, int writePercent) {
        return of(lab, access.zipf, objects, writePercent);
    }

    /** Returns the workload with any skewness. */
    static MeasuredWorkload of(Lab lab, String zipf, int objects, int writePercent) {
        return Workloads.named(
                "kvs?records=" + (lab.quick() ? 131_072 : 1_048_576) + "&objects=" + objects + "&writes=" + writePercent
                        + "&zipf=" + zipf,
                Scale.PAPER);
    }
}
