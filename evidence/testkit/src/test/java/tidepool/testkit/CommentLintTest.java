package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Comments of main code name the actor, and no line is wider than 120 columns. {@code config/comment-lint.txt} holds the count of
 * offences that each module still has. A count may only fall: a module that gets better lowers its line.
 */
class CommentLintTest {
    private static final int COLUMNS = 120;
    private static final Pattern COMMENT =
            Pattern.compile("/\\*.*?\\*/|//[^\\n]*|\"(?:\\\\.|[^\"\\\\\\n])*\"", Pattern.DOTALL);
    private static final Pattern WORDS =
            Pattern.compile("\\b(whoever|somebody|nobody|anybody|everybody|so many)\\b", Pattern.CASE_INSENSITIVE);

    @Test
    void offencesOnlyBecomeFewer() throws IOException {
        Map<String, Integer> found = new TreeMap<>();
        for (Path module : SourceTree.modules()) {
            int offences = offences(module.resolve("src/main/java"));
            String name = SourceTree.root().relativize(module).toString();
            if (offences > 0) found.put(name, offences);
        }
        assertEquals(
                text(allowed()),
                text(found),
                "counts of config/comment-lint.txt: write the lower ones there, and mend what is new");
    }

    /** The check can fail: words in comments count, words in strings do not, and wide lines do. */
    @Test
    void offencesAreCounted() {
        assertEquals(1, offences("/** Somebody writes. */ class A {}\n"));
        assertEquals(1, offences("int a; // whoever it is\n"));
        assertEquals(0, offences("String a = \"nobody // somebody\";\n"));
        assertEquals(1, offences("x".repeat(COLUMNS + 1)));
        assertEquals(0, offences("x".repeat(COLUMNS)));
    }

    private static Map<String, Integer> allowed() throws IOException {
        Map<String, Integer> allowed = new TreeMap<>();
        for (String line : Files.readAllLines(SourceTree.path("config/comment-lint.txt"))) {
            if (line.isBlank() || line.startsWith("#")) continue;
            String[] words = line.strip().split(" +");
            allowed.put(words[0], Integer.parseInt(words[1]));
        }
        return allowed;
    }

    private static String text(Map<String, Integer> counts) {
        StringBuilder text = new StringBuilder();
        counts.forEach(
                (module, count) -> text.append(module).append(' ').append(count).append('\n'));
        return text.toString();
    }

    private static int offences(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) return 0;
        int offences = 0;
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList())
                offences += offences(Files.readString(file));
        }
        return offences;
    }

    private static int offences(String source) {
        int offences = 0;
        Matcher comment = COMMENT.matcher(source);
        while (comment.find()) {
            if (comment.group().startsWith("\"")) continue;
            Matcher word = WORDS.matcher(comment.group());
            while (word.find()) offences++;
        }
        for (String line : source.split("\n")) if (line.length() > COLUMNS) offences++;
        return offences;
    }
}
