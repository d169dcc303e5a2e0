package tidepool.workload.measured;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tidepool.base.NameSuggestion;
import tidepool.workload.measured.kvs.Kvs;
import tidepool.workload.measured.smallbank.SmallBank;
import tidepool.workload.measured.tatp.Tatp;
import tidepool.workload.measured.tpcc.Tpcc;
import tidepool.workload.measured.ycsb.Ycsb;

/**
 * The measured workloads by name: {@code kvs?objects=4&writes=50&zipf=0.99}. An error in a text throws an
 * {@link IllegalArgumentException} with one sentence.
 */
public final class Workloads {
    /** Makes a workload from its options. It queries all options that it has, so that others can be refused. */
    @FunctionalInterface
    private interface Maker {
        MeasuredWorkload make(WorkloadOptions options, Scale scale);
    }

    private static final Map<String, Maker> MAKERS = makers();

    private Workloads() {}

    private static Map<String, Maker> makers() {
        Map<String, Maker> makers = new LinkedHashMap<>();
        makers.put("kvs", Kvs::of);
        makers.put("smallbank", SmallBank::of);
        makers.put("tatp", Tatp::of);
        for (char letter = 'a'; letter <= 'f'; letter++) {
            char chosen = letter;
            makers.put("ycsb-" + letter, (options, scale) -> Ycsb.of(chosen, options, scale));
        }
        makers.put("tpcc", Tpcc::of);
        return makers;
    }

    /** Returns all names. */
    public static List<String> names() {
        return List.copyOf(MAKERS.keySet());
    }

    /** Returns the workload of a text: its name, and its options after a question mark. */
    public static MeasuredWorkload named(String text, Scale scale) {
        return named(text, scale, new LinkedHashMap<>());
    }

    /**
     * Returns the workload of a text and of options that were given separately, such as sizes: {@code --records 1000}
     * is {@code records} to {@code 1000}.
     */
    public static MeasuredWorkload named(String text, Scale scale, Map<String, String> more) {
        int question = text.indexOf('?');
        String name = question < 0 ? text : text.substring(0, question);
        Maker maker = MAKERS.get(name);
        if (maker == null) throw unknown(name);
        WorkloadOptions options = WorkloadOptions.parse(name, question < 0 ? "" : text.substring(question + 1));
        more.forEach(options::give);
        MeasuredWorkload workload = maker.make(options, scale);
        options.refuseOthers();
        return workload;
    }

    private static IllegalArgumentException unknown(String name) {
        String nearest = NameSuggestion.to(name, names());
        return new IllegalArgumentException("unknown workload '" + name + "'"
                + (nearest == null
                        ? "; there are " + String.join(", ", names())
                        : "; did you mean '" + nearest + "'?"));
    }
}
