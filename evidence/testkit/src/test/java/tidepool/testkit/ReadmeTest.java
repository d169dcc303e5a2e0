package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README is short, and its chart has figures that stand with their commits on the page of results. */
class ReadmeTest {
    /** One screen and a half. */
    private static final int MAX_LINES = 75;

    private static final Pattern CHART = Pattern.compile("(?ms)^```\\n(SmallBank: .*?)^```\\n(.*?)\\n\\n");

    /** A ratio with its lowest and highest round. */
    private static final Pattern RATIO = Pattern.compile("(\\d+\\.\\d+)\\s+\\((\\d+\\.\\d+\\.\\.\\d+\\.\\d+)\\)");

    /** Commits per second. */
    private static final Pattern RATE = Pattern.compile("\\d+(?:,\\d{3})+");

    private static final Pattern COMMIT = Pattern.compile("\\b[0-9a-f]{8}\\b");

    @Test
    void theReadmeIsShort() throws IOException {
        long lines = Files.readString(SourceTree.path("README.md")).lines().count();
        assertTrue(lines <= MAX_LINES, "README.md has " + lines + " lines; at most " + MAX_LINES);
    }

    @Test
    void figuresOfTheChartAreOnThePageOfResults() throws IOException {
        String readme = Files.readString(SourceTree.path("README.md"));
        assertTrue(figures(readme).size() > 10, figures(readme).toString());
        assertEquals(List.of(), missing(readme, Files.readString(SourceTree.path("docs/benchmarks/results.md"))));
    }

    /** The check can fail: a ratio, its spread, a rate or a commit may be another one. */
    @Test
    void otherFiguresAreFound() {
        String readme = """
                ```
                SmallBank: x
                a  3.58 (3.08..3.79) ###  1,356,000 commits/s
                b  8.2  (5.9..8.5)   ###  68,000
                ```
                Commit 0123abcd.

                """;
        String results = "| **3.58** (3.08..3.79) | 1,356,000 | 8.2 (5.9..8.5) | 68.0 k | 0123abcd, 2026-11-16 |";
        assertEquals(List.of(), missing(readme, results));
        assertEquals(List.of("3.58 (3.08..3.79)"), missing(readme, results.replace("3.79", "3.80")));
        assertEquals(List.of("8.2 (5.9..8.5)"), missing(readme, results.replace("8.2 ", "8.3 ")));
        assertEquals(List.of("1,356,000"), missing(readme, results.replace("1,356,000", "1,357,000")));
        assertEquals(List.of("68,000"), missing(readme, results.replace("68.0 k", "67.9 k")));
        assertEquals(List.of("0123abcd"), missing(readme, results.replace("0123abcd", "0123abce")));
    }

    private static List<String> missing(String readme, String results) {
        String plain = results.replace("*", "");
        List<String> missing = new ArrayList<>(figures(readme));
        // The page writes rates in full, or in thousands with one digit.
        missing.removeIf(
                figure -> plain.contains(figure) || plain.contains(figure.replaceFirst("^(\\d+),(\\d)00$", "$1.$2 k")));
        return missing;
    }

    private static List<String> figures(String readme) {
        Matcher chart = CHART.matcher(readme);
        assertTrue(chart.find(), "no chart");
        List<String> figures = new ArrayList<>();
        Matcher ratio = RATIO.matcher(chart.group(1));
        while (ratio.find()) figures.add(ratio.group(1) + " (" + ratio.group(2) + ")");
        RATE.matcher(chart.group(1)).results().forEach(each -> figures.add(each.group()));
        COMMIT.matcher(chart.group(2)).results().forEach(each -> figures.add(each.group()));
        return figures;
    }
}
