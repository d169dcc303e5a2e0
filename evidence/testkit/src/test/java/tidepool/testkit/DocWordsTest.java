package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Documents, byte tables, build files and launchers name the actor, and use words of places for places only, as
 * comments do ({@link CommentLintTest}). The journal keeps the words of its day.
 */
class DocWordsTest {
    /** Code, and what a program prints, in code marks. */
    private static final Pattern QUOTED = Pattern.compile("(?ms)^```.*?^```|`[^`]*`");

    @Test
    void documentsNameTheActor() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path page : DocLinksTest.pages())
            if (!page.startsWith(SourceTree.path("docs/journal")))
                for (String word : words(Files.readString(page))) found.add(page + ": " + word);
        List<Path> files = new ArrayList<>(List.of(
                SourceTree.path("pom.xml"),
                SourceTree.path("bom/pom.xml"),
                SourceTree.path("config/deterministic-modules.txt"),
                SourceTree.path("tidepool"),
                SourceTree.path("dist/files/bin/tidepool")));
        for (Path module : SourceTree.modules()) files.add(module.resolve("pom.xml"));
        files.addAll(CommentLintTest.consumerBuilds());
        try (Stream<Path> layouts = Files.list(SourceTree.path("docs/internals/layouts"))) {
            files.addAll(layouts.sorted().toList());
        }
        for (Path file : files) for (String word : words(Files.readString(file))) found.add(file + ": " + word);
        assertEquals(List.of(), found);
    }

    /** The check can fail. Messages are quoted as they are. */
    @Test
    void wordsAreFound() {
        assertEquals(List.of("Somebody", "behind"), words("Somebody waits\nbehind the lock.\n"));
        assertEquals(List.of(), words("It says `nobody listens there`.\n```\nnobody\n```\n"));
    }

    private static List<String> words(String page) {
        return PlainWords.in(QUOTED.matcher(page).replaceAll(""));
    }
}
