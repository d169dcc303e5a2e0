package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Tidepool;
import tidepool.fabric.FabricUrl;
import tidepool.protocol.Protocols;
import tidepool.testkit.SourceTree;

/** The lists of known schemes and parameters in the refusal of a URL: each of them is known, and none is missing. */
class KnownUrlsTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[a-zA-Z]+`(?:, `[a-zA-Z]+`)*) \\| ([^|]*)\\|");
    private static final Pattern WORD = Pattern.compile("`([a-zA-Z:]+)`");

    @TempDir
    Path folder;

    @BeforeAll
    static void quiet() {
        LibraryLogs.quiet();
    }

    @Test
    void allSchemesAreNamed() {
        for (String scheme : List.of("mem:", "shm:", "sim:", "tcp:", "zk:")) {
            assertTrue(known("nosuch:x", "unknown fabric").contains(scheme), scheme);
            assertTrue(sentence("bank").contains(scheme), scheme);
        }
    }

    /**
     * The tables of docs/guide/urls.md and the refusals name the same parameters. Port 1 serves no client, so a URL
     * whose parameters are all known fails with another sentence.
     */
    @ParameterizedTest
    @ValueSource(strings = {"mem:", "shm:FOLDER", "sim:1", "tcp://127.0.0.1:1/p", "zk://127.0.0.1:1/p"})
    void allParametersAreNamed(String url) throws IOException {
        String at = url.replace("FOLDER", folder.resolve("pool").toString());
        Set<String> known = known(at + "?colour=red", "unknown parameter 'colour' in " + at + "?colour=red");
        Set<String> documented = documented(url.replaceFirst(":.*", ":"));
        if (url.startsWith("tcp:")) documented.remove("nodes"); // its URL lists the nodes
        documented.addAll(Protocols.switches(FabricUrl.parse(at)));
        assertEquals(documented, known);
        for (String name : known) {
            String more = name.equals("zkTimeout") ? "" : url.startsWith("zk:") ? "&zkTimeout=10ms" : "";
            String said = sentence(at + "?" + name + "=?" + more);
            assertTrue(!said.contains("unknown parameter") && !said.contains("has no switch"), said);
        }
        Set<String> motor = known(at + "?protocol=motor&colour=red", "unknown parameter 'colour'");
        assertTrue(motor.contains("isolation") && !motor.contains("undo"), motor.toString());
        assertTrue(known.contains("undo") && !known.contains("isolation"), known.toString());
    }

    /** Returns the parameters of both tables of docs/guide/urls.md that a scheme has. */
    private static Set<String> documented(String scheme) throws IOException {
        String page = Files.readString(SourceTree.path("docs/guide/urls.md"));
        int pools = page.indexOf("## Parameters of every pool");
        int fabrics = page.indexOf("## Parameters of a fabric");
        Set<String> names = new TreeSet<>();
        for (MatchResult row : ROW.matcher(page).results().toList())
            if (row.start() > fabrics ? words(row.group(2)).contains(scheme) : row.start() > pools)
                names.addAll(words(row.group(1)));
        assertTrue(names.size() > 8, names.toString());
        return names;
    }

    private static List<String> words(String cell) {
        return WORD.matcher(cell).results().map(word -> word.group(1)).toList();
    }

    private static Set<String> known(String url, String beginning) {
        String sentence = sentence(url);
        assertTrue(sentence.startsWith(beginning), sentence);
        return new TreeSet<>(List.of(sentence.replaceFirst(".*; known: ", "").split(", ")));
    }

    /** Opens a pool that cannot be opened. */
    private static String sentence(String url) {
        return assertThrows(RuntimeException.class, () -> Tidepool.open(url).close(), url)
                .getMessage();
    }
}
