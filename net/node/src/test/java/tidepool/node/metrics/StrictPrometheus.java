package tidepool.node.metrics;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A strict parser of the text format of Prometheus: every line is HELP, TYPE or a sample, in that order for each
 * metric; no metric and no sample appears twice; every number is valid; the last line ends with a line feed.
 */
final class StrictPrometheus {
    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final Pattern HELP = Pattern.compile("# HELP (" + NAME + ") ((?:[^\\\\\\n]|\\\\\\\\|\\\\n)+)");
    private static final Pattern TYPE = Pattern.compile("# TYPE (" + NAME + ") (counter|gauge)");
    private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\\\\\"\\n]|\\\\\\\\|\\\\\"|\\\\n)*\"";
    private static final Pattern SAMPLE =
            Pattern.compile("(" + NAME + ")(\\{" + LABEL + "(?:," + LABEL + ")*\\})? (\\S+)");

    private final Map<String, Double> samples = new LinkedHashMap<>();
    private final Map<String, String> types = new LinkedHashMap<>();
    private final Set<String> seen = new HashSet<>();
    private String helped;
    private String typed;

    /** Returns all samples of a page: name with labels, and value. */
    static Map<String, Double> parse(String page) {
        StrictPrometheus parser = new StrictPrometheus();
        if (!page.endsWith("\n")) throw new IllegalArgumentException("the last line does not end");
        for (String line : page.substring(0, page.length() - 1).split("\n", -1)) parser.line(line);
        return parser.samples;
    }

    private void line(String line) {
        if (line.startsWith("# HELP ")) {
            Matcher help = match(HELP, line);
            helped = help.group(1);
            typed = null;
            require(seen.add(helped), "metric comes back", line);
        } else if (line.startsWith("# TYPE ")) {
            Matcher type = match(TYPE, line);
            require(type.group(1).equals(helped) && typed == null, "TYPE not behind its HELP", line);
            typed = helped;
            types.put(typed, type.group(2));
            require(typed.endsWith("_total") == type.group(2).equals("counter"), "only counters end in _total", line);
        } else {
            Matcher sample = match(SAMPLE, line);
            require(sample.group(1).equals(typed), "sample not behind its TYPE", line);
            double value = number(sample.group(3), line);
            require(!typed.endsWith("_total") || value >= 0, "a counter below zero", line);
            String labels = sample.group(2) == null ? "" : sample.group(2);
            require(samples.put(sample.group(1) + labels, value) == null, "sample comes twice", line);
        }
    }

    /** Parses a number as Go parses floats, which the format requires; Java's own notation accepts more. */
    private static double number(String text, String line) {
        if (text.equals("NaN")) return Double.NaN;
        if (text.equals("+Inf")) return Double.POSITIVE_INFINITY;
        if (text.equals("-Inf")) return Double.NEGATIVE_INFINITY;
        require(text.matches("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?"), "not a number", line);
        return Double.parseDouble(text);
    }

    private static Matcher match(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        require(matcher.matches(), "not a line of the format", line);
        return matcher;
    }

    private static void require(boolean holds, String sentence, String line) {
        if (!holds) throw new IllegalArgumentException(sentence + ": " + line);
    }
}
