package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tidepool.testkit.SourceTree;

/** {@code docs/guide/commands.md} lists every command of the program, in the words of its help. */
class CommandsPageTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `\\./tidepool ([a-z ]+)` \\| (.*?) \\| (.*?) ?\\|$");

    @Test
    void rowsAreThoseOfTheHelp() throws IOException {
        List<String> rows = new ArrayList<>();
        Matcher row = ROW.matcher(Files.readString(SourceTree.path("docs/guide/commands.md")));
        while (row.find())
            rows.add(row.group(1) + ": " + row.group(2)
                    + (row.group(3).startsWith("needs a checkout") ? " [checkout]" : ""));

        List<String> commands = new ArrayList<>();
        add(Main.commandLine(), "", commands);
        assertTrue(commands.size() > 30, commands.toString());
        assertEquals(String.join("\n", commands), String.join("\n", rows));
    }

    /** Adds the commands below one, in the order of its help. Nested commands follow theirs. */
    private static void add(CommandLine parent, String prefix, List<String> commands) {
        parent.getSubcommands().forEach((name, command) -> {
            if (name.equals("help")) return;
            String described = command.getCommandSpec().usageMessage().description()[0];
            commands.add(prefix + name + ": " + described.replaceFirst("(?s)\\.( .*)?$", "")
                    + (command.getCommand() instanceof NeedsCheckout ? " [checkout]" : ""));
            add(command, prefix + name + " ", commands);
        });
    }
}
