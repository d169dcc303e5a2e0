package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Prose, commands, code and pictures of the documents fit into 120 columns, so that they can be read and compared in a
 * terminal. What a program prints stands as it is, in blocks that are marked as {@code console} or {@code text}.
 */
class DocWidthTest {
    private static final int COLUMNS = 120;

    /** A word that fills most of a line: breaking the line before it would not help. */
    private static final Pattern UNBREAKABLE = Pattern.compile("\\S{100}");

    @Test
    void proseIsNarrow() throws IOException {
        List<String> wide = new ArrayList<>();
        for (Path page : DocLinksTest.pages())
            for (String line : wide(Files.readString(page))) wide.add(page + ": " + line);
        assertEquals(List.of(), wide);
    }

    /** The check can fail. Tables and output are exempt, and so is a link or pattern that cannot be broken. */
    @Test
    void wideLinesAreFound() {
        String wide = "a ".repeat(COLUMNS);
        assertEquals(List.of(wide), wide("narrow\n" + wide + "\n"));
        assertEquals(List.of(), wide("| " + wide + " |\n```text\n" + wide + "\n```\n```console\n" + wide + "\n```\n"));
        assertEquals(List.of(wide), wide("```\n" + wide + "\n```\n"));
        assertEquals(List.of(wide), wide("```java\n" + wide + "\n```\n"));
        assertEquals(List.of(wide), wide("```text\ncode\n```\n" + wide));
        assertEquals(List.of(), wide("[link](" + "a".repeat(COLUMNS) + ")"));
        assertEquals(List.of(), wide("```\n  --tests '" + "a".repeat(COLUMNS) + "'\n```\n"));
    }

    private static List<String> wide(String page) {
        List<String> wide = new ArrayList<>();
        boolean printed = false;
        for (String line : page.split("\n")) {
            String text = line.strip();
            if (text.startsWith("```")) printed = text.equals("```text") || text.equals("```console");
            boolean exempt =
                    printed || text.startsWith("|") || UNBREAKABLE.matcher(text).find();
            if (!exempt && line.length() > COLUMNS) wide.add(line);
        }
        return wide;
    }
}
