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
import org.junit.jupiter.params.provider.CsvSource;
import tidepool.Tidepool;
import tidepool.testkit.SourceTree;

/** The lists of known schemes and parameters in the refusal of a URL: each of them is known, and none is missing. */
class KnownUrlsTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-zA-Z]+)` \\|");

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

    /** Port 1 serves no client, so a URL whose parameters are all known fails with another sentence. */
    @ParameterizedTest
    @CsvSource({
        "mem:, handlers",
        "shm:FOLDER, mode durability",
        "sim:1, profile adversary",
        "tcp://127.0.0.1:1/p, connect user tokenFile tls ca cert key",
        "zk://127.0.0.1:1/p, zkTimeout zkUser zkTokenFile connect user tokenFile tls ca cert key"
    })
    void allParametersAreNamed(String url, String own) throws IOException {
        String at = url.replace("FOLDER", folder.resolve("pool").toString());
        Set<String> known = known(at + "?colour=red", "unknown parameter 'colour' in " + at + "?colour=red");
        Set<String> expected = new TreeSet<>(List.of(own.split(" ")));
        if (!url.startsWith("tcp:")) expected.add("nodes"); // its URL lists the nodes
        expected.addAll(documented());
        expected.removeAll(known);
        assertEquals(Set.of(), expected, "not named");
        for (String name : known) {
            String more = name.equals("zkTimeout") ? "" : url.startsWith("zk:") ? "&zkTimeout=10ms" : "";
            String said = sentence(at + "?" + name + "=?" + more);
            assertTrue(!said.contains("unknown parameter") && !said.contains("has no switch"), said);
        }
        Set<String> motor = known(at + "?protocol=motor&colour=red", "unknown parameter 'colour'");
        assertTrue(motor.contains("isolation") && !motor.contains("undo"), motor.toString());
        assertTrue(known.contains("undo") && !known.contains("isolation"), known.toString());
    }

    /** The table of docs/guide/api.md, without the number of nodes. */
    private static Set<String> documented() throws IOException {
        String page = Files.readString(SourceTree.path("docs/guide/api.md"));
        String table = page.substring(page.indexOf("## The URL"), page.indexOf("The fabrics have parameters"));
        Set<String> names = new TreeSet<>();
        ROW.matcher(table)
                .results()
                .map((MatchResult row) -> row.group(1))
                .filter(name -> !name.equals("nodes"))
                .forEach(names::add);
        assertTrue(names.size() > 8, names.toString());
        return names;
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
