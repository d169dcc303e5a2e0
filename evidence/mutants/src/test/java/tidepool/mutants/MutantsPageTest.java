package tidepool.mutants;

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
import tidepool.testkit.SourceTree;

/**
 * The patterns of the commands in the documents find classes. A pattern with a former name is no error of the command:
 * it draws other mutants, or tries them with fewer tests, and so lets more of them survive.
 */
class MutantsPageTest {
    private static final Pattern BLOCK = Pattern.compile("(?s)```\\w*\\n(.*?)```");
    private static final Pattern QUOTED = Pattern.compile("--(only|tests|module) (?:'([^']*)'|(\\S+))");
    private static final Pattern WORD = Pattern.compile("[A-Za-z]{3,}");

    /** A command as a document has it. */
    private record Command(String text, String module, String only, String tests) {}

    @Test
    void patternsFindClasses() throws IOException {
        List<Command> commands = commands();
        assertTrue(commands.size() > 4, commands.size() + " commands");
        List<String> wrong = new ArrayList<>();
        for (Command each : commands) {
            requireAll(each, "--only", each.only, names(List.of(each.module), "src/main/java", ".java"), wrong);
            List<String> tested = Checkout.TESTED.get(each.module);
            requireAll(each, "--tests", each.tests, names(tested, "src/test/java", "Test.java"), wrong);
        }
        assertEquals(List.of(), wrong);
    }

    /** Each word of a pattern must be in the name of a class that the pattern finds. */
    private static void requireAll(Command of, String option, String text, List<String> names, List<String> wrong) {
        Pattern pattern = Pattern.compile(text);
        List<String> found =
                names.stream().filter(name -> pattern.matcher(name).find()).toList();
        Matcher words = WORD.matcher(text);
        while (words.find()) {
            String word = words.group();
            if (found.stream().noneMatch(name -> name.contains(word)))
                wrong.add(option + " with " + word + " finds no class of that name: " + of.text);
        }
    }

    /** Returns the commands in the blocks of all documents, each in one line. */
    private static List<Command> commands() throws IOException {
        List<Command> commands = new ArrayList<>();
        for (Path page : pages()) {
            Matcher blocks = BLOCK.matcher(Files.readString(page));
            while (blocks.find())
                for (String line : blocks.group(1).replace("\\\n", " ").lines().toList())
                    if (line.startsWith("./tidepool mutants")) commands.add(command(line));
        }
        return commands;
    }

    private static Command command(String line) {
        String module = "protocol", only = "", tests = "";
        Matcher options = QUOTED.matcher(line);
        while (options.find()) {
            String value = options.group(2) != null ? options.group(2) : options.group(3);
            switch (options.group(1)) {
                case "only" -> only = value;
                case "tests" -> tests = value;
                default -> module = value;
            }
        }
        return new Command(line, module, only, tests);
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(SourceTree.path("docs"))) {
            return Stream.concat(files, Stream.of(SourceTree.path("CONTRIBUTING.md")))
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> names(List<String> modules, String folder, String end) throws IOException {
        List<String> names = new ArrayList<>();
        for (String module : modules) {
            Path root = SourceTree.module(module).resolve(folder);
            if (!Files.isDirectory(root)) continue;
            try (Stream<Path> files = Files.walk(root)) {
                files.map(file -> root.relativize(file).toString())
                        .filter(name -> name.endsWith(end))
                        .map(name -> name.substring(0, name.length() - ".java".length())
                                .replace('/', '.'))
                        .forEach(names::add);
            }
        }
        return names;
    }
}
