package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tidepool.testkit.SourceTree;

/** {@code docs/guide/commands.md} lists every command of the program, and no other. */
class CommandsPageTest {
    @Test
    void everyCommandIsListed() throws IOException {
        Set<String> commands = new TreeSet<>(Main.commandLine().getSubcommands().keySet());
        commands.remove("help");
        Set<String> listed = new TreeSet<>();
        Matcher row = Pattern.compile("(?m)^\\| (`.*?) \\|")
                .matcher(Files.readString(SourceTree.path("docs/guide/commands.md")));
        while (row.find()) {
            Matcher command = Pattern.compile("`./tidepool ([a-z]+)").matcher(row.group(1));
            while (command.find()) listed.add(command.group(1));
        }
        assertEquals(commands, listed);
    }
}
