package tidepool.node.metrics;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A builder of pages in the text format of Prometheus, version 0.0.4: for each metric a HELP and a TYPE line, then its
 * samples. Names of metrics and labels are checked; label values may be any text.
 */
public final class PrometheusText {
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final StringBuilder page = new StringBuilder();
    private final Set<String> metrics = new LinkedHashSet<>();
    private String metric;

    /** Creates an empty page. */
    public PrometheusText() {}

    /** Begins a metric that only grows; its name ends in {@code _total}. */
    public PrometheusText counter(String name, String help) {
        require(name.endsWith("_total"), name);
        return begin(name, "counter", help);
    }

    /** Begins a metric that goes up and down; its name ends in its unit, if it has one. */
    public PrometheusText gauge(String name, String help) {
        require(!name.endsWith("_total"), name);
        return begin(name, "gauge", help);
    }

    /** Adds a sample of the current metric; {@code labels} are names and values in turn. */
    public PrometheusText sample(double value, String... labels) {
        return append(number(value), labels);
    }

    /** Adds a sample with a whole number; {@code labels} are names and values in turn. */
    public PrometheusText sample(long value, String... labels) {
        return append(Long.toString(value), labels);
    }

    private PrometheusText append(String value, String... labels) {
        if (metric == null || labels.length % 2 != 0) throw new IllegalStateException("a sample of no metric");
        page.append(metric);
        for (int i = 0; i < labels.length; i += 2) {
            require(labels[i].matches("[a-zA-Z_][a-zA-Z0-9_]*"), labels[i]);
            page.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
            page.append(escaped(labels[i + 1]).replace("\"", "\\\"")).append('"');
        }
        page.append(labels.length == 0 ? " " : "} ").append(value).append('\n');
        return this;
    }

    public String text() {
        return page.toString();
    }

    private PrometheusText begin(String name, String type, String help) {
        require(name.matches("[a-zA-Z_:][a-zA-Z0-9_:]*") && metrics.add(name), name);
        metric = name;
        page.append("# HELP ").append(name).append(' ').append(escaped(help)).append('\n');
        page.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        return this;
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n");
    }

    /** Formats whole numbers without an exponent, so that people can read them too. */
    private static String number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1L << 53) return Long.toString((long) value);
        return Double.isNaN(value) ? "NaN" : Double.isInfinite(value) ? value > 0 ? "+Inf" : "-Inf" : "" + value;
    }

    private static void require(boolean holds, String name) {
        if (!holds) throw new IllegalArgumentException("not a good name for a metric or label here: " + name);
    }
}
