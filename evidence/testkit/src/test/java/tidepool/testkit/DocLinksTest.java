package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
    private static final Pattern TYPE =
            Pattern.compile("`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:<[^`]*>)?(?:[.#(][^`]*)?`");
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|record|enum) +([A-Z]\\w*)");

    /** Names in code marks that are no types of ours: a file, and types of libraries. */
    private static final Set<String> OF_OTHERS = Set.of(
            "BigDecimal",
            "Containerfile",
            "Duration",
            "Instant",
            "LocalDate",
            "TransactionDB",
            "TransactionStore",
            "Unsafe");

    private static final List<String> JDK_PACKAGES = List.of(
            "java.io",
            "java.lang",
            "java.lang.foreign",
            "java.nio",
            "java.nio.channels",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.locks",
            "javax.net.ssl",
            "jdk.internal.vm");

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

    /**
     * A page that names a class shows where to look, so the class has to be there. The journal and the guide to
     * migration name classes of earlier days.
     */
    @Test
    void everyClassThatIsNamedExists() throws IOException {
        Set<String> classes = declaredTypes();
        List<String> missing = new ArrayList<>();
        int named = 0;
        for (Path page : pages()) {
            if (page.endsWith("MIGRATE.md") || page.startsWith(SourceTree.path("docs/journal"))) continue;
            for (String name : namedTypes(Files.readString(page))) {
                named++;
                if (!classes.contains(name) && !OF_OTHERS.contains(name) && !isOfTheJdk(name))
                    missing.add(page + ": " + name);
            }
        }
        assertTrue(named > 500, "only " + named + " names were read");
        assertEquals(List.of(), missing);
    }

    @Test
    void namesInCodeMarksAreRead() {
        String page =
                "`Round` and `Round.post`, `Cell<T>`, `READ`, `FordTxn#commit`, `a Word`, Word\n```\n`Fenced`\n```\n";

        assertEquals(List.of("Round", "Round", "Cell", "FordTxn"), namedTypes(page));
        assertTrue(isOfTheJdk("Optional"));
        assertFalse(isOfTheJdk("Optionally"));
    }

    /** Returns the words in code marks that look like the name of a type, or begin with one. */
    private static List<String> namedTypes(String page) {
        return TYPE.matcher(FENCED.matcher(page).replaceAll(""))
                .results()
                .map(named -> named.group(1))
                .toList();
    }

    /** Returns the simple names of all types in all sources, nested ones too. */
    private static Set<String> declaredTypes() throws IOException {
        Set<String> names = new HashSet<>();
        for (Path module : SourceTree.modules())
            try (Stream<Path> files = Files.walk(module.resolve("src"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    Matcher declared = DECLARED.matcher(Files.readString(file));
                    while (declared.find()) names.add(declared.group(1));
                }
            }
        return names;
    }

    private static boolean isOfTheJdk(String name) {
        for (String prefix : JDK_PACKAGES)
            try {
                Class.forName(prefix + "." + name, false, null);
                return true;
            } catch (ClassNotFoundException e) {
                // Another package may have it.
            }
        return false;
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
