package tidepool.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.testkit.PlainWords;

/** The help of the shell is read by people who do not know the code. */
class ShellCommandsTest {
    @Test
    void helpUsesTheWordsOfDocuments() {
        List<String> found = new ArrayList<>(PlainWords.in(ShellCommands.help(null)));
        int length = 0;
        for (String name : ShellCommands.NAMES) {
            String help = ShellCommands.help(name);
            length += help.length();
            for (String word : PlainWords.in(help)) found.add(name + ": " + word);
        }
        assertTrue(length > 2_000, "only " + length + " characters of help");
        assertEquals(List.of(), found);
    }
}
