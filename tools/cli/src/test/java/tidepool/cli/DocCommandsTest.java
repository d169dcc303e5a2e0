package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
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
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import tidepool.testkit.SourceTree;

/**
 * Every {@code ./tidepool} line of the documents is parsed by the commands themselves: its commands, options and number
 * of arguments exist. The journal is history and left out.
 */
class DocCommandsTest {
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern QUOTED = Pattern.compile("`(\\./tidepool [^`]*)`");
    private static final Pattern LINE = Pattern.compile("(?:\\./|bin/)tidepool (?:[^\\\\\\n]|\\\\[\\s\\S])*");

    /** A command line for Maven, in a block or quoted. */
    private static final Pattern MAVEN = Pattern.compile("(?m)^ *mvnw? .*|`mvnw? [^`]*`");

    /** The end of a command: a shell operator, an explanation after blanks, or a comment. */
    private static final Pattern WORD =
            Pattern.compile("(?:'[^']*'|\"(?:\\$\\([^)]*\\)|[^\"])*\"|[^\\s'\";&|>]|\\|(?=\\w))+");

    private final CommandLine root = Main.commandLine();

    DocCommandsTest() {
        root.setTrimQuotes(true); // of subcommands too
    }

    @Test
    void everyCommandLineParses() throws IOException {
        List<String> wrong = new ArrayList<>();
        int lines = 0;
        for (Path page : pages()) {
            String text = Files.readString(page);
            Matcher block = FENCED.matcher(text);
            while (block.find())
                for (Matcher line = LINE.matcher(block.group()); line.find(); lines++)
                    check(page, line.group(), true, wrong);
            Matcher quoted = QUOTED.matcher(FENCED.matcher(text).replaceAll(""));
            for (; quoted.find(); lines++) check(page, quoted.group(1), false, wrong);
        }
        assertTrue(lines > 150, "only " + lines + " lines were read");
        assertEquals(List.of(), wrong);
    }

    /** The launcher finds the JDK and passes on Maven's arguments; no test parses a line for Maven itself. */
    @Test
    void commandsForMavenAreThoseOfTheLauncher() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path page : pages()) {
            String text = Files.readString(page);
            Matcher line = MAVEN.matcher(text);
            while (line.find()) wrong.add(SourceTree.root().relativize(page) + ": " + line.group());
        }
        assertEquals(List.of(), wrong);
        assertTrue(MAVEN.matcher("```\nmvn -pl a test   all\n```").find(), "the check can fail");
        assertTrue(MAVEN.matcher("build with `mvn test-compile`").find(), "the check can fail");
    }

    @Test
    void wrongLinesAreFound() {
        assertNull(fault("./tidepool pool repair \"$url\" DIR --yes; echo $?", true));
        assertNull(fault("./tidepool pool status", false));
        assertNull(fault("./tidepool test --quick -Dtest=Some   one class", true));
        assertNull(fault("./tidepool node --durability none|flush|strict --dir F", false));
        assertNull(fault("./tidepool pool status \"$url\" | grep -c --lives", true));
        assertTrue(fault("./tidepool pool status", true).contains("Missing"), "a block is to be run as it is");
        assertTrue(fault("./tidepool pool mend URL", false).contains("mend"));
        assertTrue(fault("./tidepool pole status URL", false).contains("pole"));
        assertTrue(fault("./tidepool node --no-such 7", false).contains("--no-such"));
        assertTrue(fault("./tidepool test --slow", false).contains("--slow"));
        assertTrue(fault("./tidepool rtt one two three", false).contains("two"));
        assertTrue(fault("./tidepool bench smallbank --rounds \\\n  --peers redis", true)
                .contains("--rounds"));
    }

    private void check(Path page, String line, boolean whole, List<String> wrong) {
        String fault = fault(line, whole);
        if (fault != null) wrong.add(SourceTree.root().relativize(page) + ": " + line + ": " + fault);
    }

    /**
     * Returns what is wrong with a line; null if nothing is.
     *
     * @param whole whether a reader runs the line as it is; otherwise it may leave arguments out
     */
    private String fault(String line, boolean whole) {
        List<String> words = words(line);
        List<String> own = withoutThoseOfMaven(words);
        try {
            ParseResult parsed = root.parseArgs(own.toArray(String[]::new));
            boolean named = parsed.hasSubcommand() || own.isEmpty() || parsed.isUsageHelpRequested();
            return named ? null : "names no command";
        } catch (MissingParameterException e) {
            return whole ? e.getMessage() : null;
        } catch (ParameterException e) {
            // A word in capitals stands for a value.
            boolean placeholder = e.getValue() != null && e.getValue().matches("[A-Z]+|.*[|…].*");
            return placeholder ? null : e.getMessage();
        }
    }

    /** Arguments of commands that the launcher carries out go to Maven if they look like Maven's. */
    private List<String> withoutThoseOfMaven(List<String> words) {
        CommandLine command = words.isEmpty() ? null : root.getSubcommands().get(words.getFirst());
        if (command == null || !(command.getCommand() instanceof LauncherCommand)) return words;
        return words.stream()
                .filter(word -> !word.startsWith("-D") && !word.equals("-pl") && !word.equals("-am"))
                .toList();
    }

    /** Returns the words of a command line up to the end of the command; {@code …} and {@code ...} stand for more. */
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        String text = line.replaceFirst("^\\S+ ", "").replace("\\\n", " ");
        Matcher word = WORD.matcher(text);
        int end = 0;
        while (word.find()) {
            String between = text.substring(end, word.start());
            if (!between.isBlank() || between.length() > 1 && end > 0 && !line.contains("\\\n")) break;
            if (word.group().startsWith("#")) break;
            end = word.end();
            if (!word.group().matches("…|\\.\\.\\.")) words.add(word.group());
        }
        return words;
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> top = Files.list(SourceTree.root());
                Stream<Path> docs = Files.walk(SourceTree.path("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.startsWith(SourceTree.path("docs/journal")))
                    .sorted()
                    .toList();
        }
    }
}
