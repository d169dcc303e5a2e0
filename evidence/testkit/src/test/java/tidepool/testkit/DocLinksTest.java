package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links of the documents lead to files and headings that exist, and class names in code marks are those of classes. */
class DocLinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(#[^)\\s]*)?\\)");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern TEST_CLASS = Pattern.compile("`([A-Z][A-Za-z0-9]*Test)(?:[.#][A-Za-z0-9]+)?`");

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : pages()) {
            Matcher link = LINK.matcher(FENCED.matcher(Files.readString(page)).replaceAll(""));
            for (; link.find(); links++) {
                if (link.group(1).startsWith("http")) continue;
                Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
                if (!Files.exists(target)) broken.add(page + ": " + link.group(1));
                else if (link.group(2) != null && !anchors(target).contains(link.group(2)))
                    broken.add(page + ": " + link.group(1) + link.group(2));
            }
        }
        assertTrue(links > 200, "only " + links + " links were read");
        assertEquals(List.of(), broken);
    }

    /** A page that names a test shows how a claim is checked, so the test has to be there. */
    @Test
    void everyTestThatIsNamedExists() throws IOException {
        Set<String> classes = new HashSet<>();
        for (Path module : SourceTree.modules())
            try (Stream<Path> files = Files.walk(module.resolve("src"))) {
                files.forEach(file -> classes.add(file.getFileName().toString()));
            }
        List<String> missing = new ArrayList<>();
        for (Path page : pages()) {
            Matcher named = TEST_CLASS.matcher(Files.readString(page));
            while (named.find())
                if (!classes.contains(named.group(1) + ".java")) missing.add(page + ": " + named.group(1));
        }
        assertEquals(List.of(), missing);
    }

    static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        try (Stream<Path> top = Files.list(SourceTree.root());
                Stream<Path> docs = Files.walk(SourceTree.path("docs"))) {
            Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .forEach(pages::add);
        }
        return pages;
    }

    /** The anchors that a Markdown page gives to its headings: lower case, dashes for spaces, no punctuation. */
    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new HashSet<>();
        for (String line : FENCED.matcher(Files.readString(page)).replaceAll("").split("\n"))
            if (line.startsWith("#"))
                anchors.add("#"
                        + line.replaceFirst("^#+ ", "")
                                .toLowerCase(Locale.ROOT)
                                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                                .replace(' ', '-'));
        return anchors;
    }
}
