package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Comments and names have an actor and use words of places for places only. No line is wider than 120 columns. */
class CommentLintTest {
    private static final int COLUMNS = 120;
    private static final Pattern COMMENT = Pattern.compile(
            "/\\*.*?\\*/|//[^\\n]*|'(?:\\\\.|[^'\\\\\\n])'|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"",
            Pattern.DOTALL);
    private static final Pattern IDENTIFIER = Pattern.compile("\\b[A-Za-z_]\\w*");

    /** The files whose comments have places in memory, or what lies on the other side of a switch. */
    private static final Set<String> OF_PLACES = Set.of(
            "BoundLayout.java",
            "ChainLayout.java",
            "CostProfile.java",
            "DeltaLayout.java",
            "PackageLayout.java",
            "RowFormat.java",
            "SlotTrailer.java",
            "TableLayout.java");

    @Test
    void commentsNameTheActorAndLinesAreNarrow() throws IOException {
        List<String> found = new ArrayList<>();
        Set<String> ofPlaces = new TreeSet<>();
        int main = 0;
        int test = 0;
        List<Path> modules = new ArrayList<>(SourceTree.modules());
        modules.addAll(SourceTree.consumers());
        for (Path module : modules)
            for (Path file : sources(module.resolve("src"))) {
                if (file.startsWith(module.resolve("src/main"))) main++;
                else test++;
                String name = file.getFileName().toString();
                String source = Files.readString(file);
                if (OF_PLACES.contains(name)
                        && !words(PlainWords.PLACES, source).isEmpty()) ofPlaces.add(name);
                for (String offence : offences(source, OF_PLACES.contains(name)))
                    found.add(SourceTree.root().relativize(file) + ": " + offence);
            }
        assertTrue(main > 500, "only " + main + " files of main code were read");
        assertTrue(test > 500, "only " + test + " files of tests were read");
        assertEquals(List.of(), found);
        assertEquals(new TreeSet<>(OF_PLACES), ofPlaces, "files that need not be listed any more");
    }

    /** Build files and launchers are read by people, too. */
    @Test
    void linesOfBuildFilesAreNarrow() throws IOException {
        List<Path> files = new ArrayList<>(List.of(
                SourceTree.path("pom.xml"),
                SourceTree.path("bom/pom.xml"),
                SourceTree.path("tidepool"),
                SourceTree.path("config/find-java.sh"),
                SourceTree.path("dist/files/bin/tidepool")));
        for (Path module : SourceTree.modules()) files.add(module.resolve("pom.xml"));
        files.addAll(consumerBuilds());
        List<String> wide = new ArrayList<>();
        for (Path file : files)
            for (String line : wideLines(Files.readString(file)))
                wide.add(SourceTree.root().relativize(file) + ": " + line);
        assertEquals(List.of(), wide);
    }

    /** The check can fail: words in comments count, words in strings do not, and wide lines do. */
    @Test
    void offencesAreFound() {
        assertEquals(List.of("Somebody"), offences("/** Somebody writes. */ class A {}\n", false));
        assertEquals(List.of("whoever"), offences("int a; // whoever it is\n", false));
        assertEquals(List.of(), offences("String a = \"nobody // somebody\";\n", false));
        assertEquals(List.of("nobody"), offences("char a = '\"'; // nobody\n", false));
        assertEquals(List.of(), offences("String a = \"\"\"\n  // nobody\n  \"\"\";\n", false));
        assertEquals(List.of("behind", "Beside"), offences("// it is behind\n// Beside it\n", false));
        assertEquals(List.of(), offences("// the word behind the object\n", true));
        assertEquals(List.of("leftBehind", "LEFT_BEHIND"), offences("int leftBehind = LEFT_BEHIND;\n", false));
        assertEquals(List.of("Beside", "nobody"), offences("class Beside { void nobody() {} }\n", true));
        assertEquals(List.of(), offences("int besides = noBody(\"behind\"); // hind\n", false));
        assertEquals(1, offences("x".repeat(COLUMNS + 1), false).size());
        assertEquals(List.of(), offences("x".repeat(COLUMNS), false));
    }

    /** Returns the build files of the projects outside the build. */
    static List<Path> consumerBuilds() throws IOException {
        List<Path> builds = new ArrayList<>(List.of(SourceTree.path("examples/consumer/pom.xml")));
        for (Path project : SourceTree.consumers())
            try (Stream<Path> files = Files.list(project)) {
                files.filter(file -> file.toString().matches(".*(pom\\.xml|\\.kts)"))
                        .sorted()
                        .forEach(builds::add);
            }
        assertTrue(builds.size() >= 6, "only " + builds);
        return builds;
    }

    private static List<Path> sources(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) return List.of();
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(each -> each.toString().endsWith(".java")).toList();
        }
    }

    private static List<String> offences(String source, boolean ofPlaces) {
        List<String> offences = new ArrayList<>(words(PlainWords.ACTORS, source));
        if (!ofPlaces) offences.addAll(words(PlainWords.PLACES, source));
        offences.addAll(names(source));
        offences.addAll(wideLines(source));
        return offences;
    }

    /** Returns the identifiers, outside comments and strings, that have a word of {@link PlainWords}. */
    private static List<String> names(String source) {
        return PlainWords.matches(IDENTIFIER, COMMENT.matcher(source).replaceAll(" ")).stream()
                .filter(PlainWords::isIn)
                .toList();
    }

    /** Returns the matches of a pattern in the comments of a source. */
    private static List<String> words(Pattern pattern, String source) {
        List<String> words = new ArrayList<>();
        Matcher comment = COMMENT.matcher(source);
        while (comment.find()) {
            if (!comment.group().startsWith("/")) continue;
            words.addAll(PlainWords.matches(pattern, comment.group()));
        }
        return words;
    }

    private static List<String> wideLines(String source) {
        return source.lines().filter(line -> line.length() > COLUMNS).toList();
    }
}
