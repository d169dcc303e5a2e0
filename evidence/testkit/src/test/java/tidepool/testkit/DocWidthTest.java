package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Prose of the documents fits into 120 columns, so that it can be read and compared in a terminal. */
class DocWidthTest {
    private static final int COLUMNS = 120;

    @Test
    void proseIsNarrow() throws IOException {
        List<String> wide = new ArrayList<>();
        for (Path page : DocLinksTest.pages())
            for (String line : wide(Files.readString(page))) wide.add(page + ": " + line);
        assertEquals(List.of(), wide);
    }

    /** The check can fail. Tables and blocks of code are exempt, and so is a link that cannot be broken. */
    @Test
    void wideLinesAreFound() {
        String wide = "a ".repeat(COLUMNS);
        assertEquals(List.of(wide), wide("narrow\n" + wide + "\n"));
        assertEquals(List.of(), wide("| " + wide + " |\n```\n" + wide + "\n```\n"));
        assertEquals(List.of(wide), wide("```\ncode\n```\n" + wide));
        assertEquals(List.of(), wide("[link](" + "a".repeat(COLUMNS) + ")"));
    }

    private static List<String> wide(String page) {
        List<String> wide = new ArrayList<>();
        boolean fenced = false;
        for (String line : page.split("\n")) {
            if (line.strip().startsWith("```")) fenced = !fenced;
            boolean exempt =
                    fenced || line.strip().startsWith("|") || !line.strip().contains(" ");
            if (!exempt && line.length() > COLUMNS) wide.add(line);
        }
        return wide;
    }
}
