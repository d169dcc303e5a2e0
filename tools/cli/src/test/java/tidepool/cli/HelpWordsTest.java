package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import tidepool.testkit.PlainWords;

/** The help of each command uses the words of documents ({@link PlainWords}). */
class HelpWordsTest {
    @Test
    void helpOfCommandsIsPlain() {
        List<String> texts = new ArrayList<>();
        List<String> found = new ArrayList<>();
        visit(Main.commandLine(), texts, found);
        assertTrue(texts.size() > 300, "only " + texts.size() + " texts");
        assertEquals(List.of(), found);
    }

    /** The check can fail: descriptions of commands, options and nested commands are read. */
    @Test
    void wordsInHelpAreFound() {
        List<String> found = new ArrayList<>();
        visit(new CommandLine(new Unplain()).addSubcommand("nested", new Unplain()), new ArrayList<>(), found);
        assertEquals(
                List.of("unplain: nobody", "unplain: so many", "unplain unplain: nobody", "unplain unplain: so many"),
                found);
    }

    @CommandLine.Command(name = "unplain", description = "Something that nobody wants.")
    private static final class Unplain implements Runnable {
        @Option(names = "--rows", description = "For so many rows.")
        private int rows;

        @Override
        public void run() {
            throw new AssertionError("a model is not run: rows=" + rows);
        }
    }

    private static void visit(CommandLine command, List<String> texts, List<String> found) {
        CommandSpec spec = command.getCommandSpec();
        List<String> own = new ArrayList<>();
        own.addAll(List.of(spec.usageMessage().header()));
        own.addAll(List.of(spec.usageMessage().description()));
        own.addAll(List.of(spec.usageMessage().footer()));
        for (ArgSpec argument : spec.args()) own.addAll(List.of(argument.description()));
        texts.addAll(own);
        for (String word : PlainWords.in(String.join("\n", own))) found.add(spec.qualifiedName() + ": " + word);
        command.getSubcommands().values().forEach(nested -> visit(nested, texts, found));
    }
}
