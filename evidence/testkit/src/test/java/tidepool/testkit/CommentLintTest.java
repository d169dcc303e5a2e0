package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Comments of main code name the actor, and no line of main code is wider than 120 columns. */
class CommentLintTest {
    private static final int COLUMNS = 120;
    private static final Pattern COMMENT =
            Pattern.compile("/\\*.*?\\*/|//[^\\n]*|\"(?:\\\\.|[^\"\\\\\\n])*\"", Pattern.DOTALL);
    private static final Pattern WORDS =
            Pattern.compile("\\b(whoever|somebody|nobody|anybody|everybody|so many)\\b", Pattern.CASE_INSENSITIVE);

    @Test
    void commentsNameTheActorAndLinesAreNarrow() throws IOException {
        List<String> found = new ArrayList<>();
        int files = 0;
        for (Path module : SourceTree.modules()) {
            Path folder = module.resolve("src/main/java");
            if (!Files.isDirectory(folder)) continue;
            for (Path file : sources(folder)) {
                files++;
                String name = SourceTree.root().relativize(file).toString();
                for (String offence : offences(Files.readString(file))) found.add(name + ": " + offence);
            }
        }
        assertTrue(files > 500, "only " + files + " files were read");
        assertEquals(List.of(), found);
    }

    /** The check can fail: words in comments count, words in strings do not, and wide lines do. */
    @Test
    void offencesAreFound() {
        assertEquals(List.of("Somebody"), offences("/** Somebody writes. */ class A {}\n"));
        assertEquals(List.of("whoever"), offences("int a; // whoever it is\n"));
        assertEquals(List.of(), offences("String a = \"nobody // somebody\";\n"));
        assertEquals(1, offences("x".repeat(COLUMNS + 1)).size());
        assertEquals(List.of(), offences("x".repeat(COLUMNS)));
    }

    private static List<Path> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(each -> each.toString().endsWith(".java")).toList();
        }
    }

    private static List<String> offences(String source) {
        List<String> offences = new ArrayList<>();
        Matcher comment = COMMENT.matcher(source);
        while (comment.find()) {
            if (comment.group().startsWith("\"")) continue;
            Matcher word = WORDS.matcher(comment.group());
            while (word.find()) offences.add(word.group());
        }
        for (String line : source.split("\n")) if (line.length() > COLUMNS) offences.add(line);
        return offences;
    }
}
