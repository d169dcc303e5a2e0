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

/**
 * Every figure of the page of results stands next to the command that measures it, a commit and a date. A reader can
 * then repeat it, and look at the code. {@link DocCommitsTest} looks whether the commits exist.
 */
class ResultsPageTest {
    /** A section with tables, from its heading to the next. */
    private static final Pattern SECTION = Pattern.compile("(?ms)^(##+ [^\\n]*)\\n(.*?)(?=^##|\\z)");

    private static final Pattern COMMAND = Pattern.compile("`\\./tidepool |(?m)^\\./tidepool ");
    private static final Pattern RECORDED = Pattern.compile("\\b[0-9a-f]{8}, \\d{4}-\\d\\d-\\d\\d\\b");

    @Test
    void figuresHaveCommandCommitAndDate() throws IOException {
        String page = Files.readString(SourceTree.path("docs/benchmarks/results.md"));
        assertTrue(rows(page) > 30, "only " + rows(page) + " rows were read");
        assertEquals(List.of(), withoutSource(page));
    }

    /** The check can fail: a row may lack its commit, and a section its command. */
    @Test
    void figuresWithoutSourceAreFound() {
        String table = "| what | k/s | recorded |\n| --- | --- | --- |\n| a | 1 | 0123abcd, 2026-11-16 |\n";
        assertEquals(List.of(), withoutSource("## Good\n`./tidepool bench x`\n\n" + table));
        assertEquals(List.of("## Bad: no command"), withoutSource("## Bad\n\n" + table));
        assertEquals(
                List.of("| b | 2 |  |"), withoutSource("## Bad\n`./tidepool bench x`\n\n" + table + "| b | 2 |  |\n"));
        assertEquals(
                List.of(),
                withoutSource("## Once for all, recorded in 0123abcd, 2026-11-16\n`./tidepool bench x`\n\n"
                        + "| what | k/s |\n| --- | --- |\n| a | 1 |\n"));
    }

    /** Returns the sections without a command, and the rows without commit and date, in the row or above the table. */
    private static List<String> withoutSource(String page) {
        List<String> found = new ArrayList<>();
        Matcher section = SECTION.matcher(page);
        while (section.find()) {
            String heading = section.group(1);
            boolean hasRows = false;
            StringBuilder above = new StringBuilder(heading); // the text since the heading or the table before
            int row = 0;
            for (String line : section.group(2).split("\n")) {
                if (!line.startsWith("|")) {
                    if (row > 0) above.setLength(0);
                    above.append('\n').append(line);
                    row = 0;
                } else if (++row > 2) { // after the head of the table and the line under it
                    hasRows = true;
                    if (!RECORDED.matcher(line).find()
                            && !RECORDED.matcher(above).find()) found.add(line);
                }
            }
            if (hasRows && !COMMAND.matcher(section.group(2)).find()) found.add(heading + ": no command");
        }
        return found;
    }

    private static int rows(String page) {
        return (int) page.lines().filter(line -> line.startsWith("| ")).count();
    }
}
