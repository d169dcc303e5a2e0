package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of a checked history. */
class CheckCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void soundHistoryIsFine() throws IOException {
        Path file = history(
                "a",
                event(0, 1, "invoke", "[\"append\",5,1],[\"r\",5,null]"),
                event(1, 1, "ok", "[\"append\",5,1],[\"r\",5,[1]]"));

        assertEquals(0, run("check", file.toString()), err.toString());
        assertTrue(out.toString().contains("OK: strict serializability"), out.toString());
    }

    /** Two processes record into two files; together they show a cycle that neither shows alone. */
    @Test
    void filesAreMergedByIndexAndTheCycleIsTold() throws IOException {
        Path one = history(
                "one",
                event(0, 1, "invoke", "[\"r\",1,null],[\"append\",2,1]"),
                event(3, 1, "ok", "[\"r\",1,[]],[\"append\",2,1]"),
                event(4, 1, "invoke", "[\"r\",1,null],[\"r\",2,null]"),
                event(5, 1, "ok", "[\"r\",1,[1]],[\"r\",2,[1]]"));
        Path two = history(
                "two",
                event(1, 2, "invoke", "[\"r\",2,null],[\"append\",1,1]"),
                event(2, 2, "ok", "[\"r\",2,[]],[\"append\",1,1]"));

        assertEquals(1, run("check", one.toString(), two.toString()));
        assertTrue(out.toString().contains("G2-item"), out.toString());
        assertTrue(out.toString().contains("-rw->"), out.toString());
        assertTrue(out.toString().contains("VIOLATED: strict serializability"), out.toString());
        assertEquals(1, run("check", "--level", "serializable", one.toString(), two.toString()));
        assertEquals(0, run("check", "--level", "snapshot", one.toString(), two.toString()), out.toString());
    }

    @Test
    void brokenLineIsNamed() throws IOException {
        Path file = history(
                "bad",
                event(0, 1, "invoke", "[\"append\",5,1]"),
                "{\"index\":1,",
                event(2, 1, "ok", "[\"append\",5,1]"));

        assertEquals(2, run("check", file.toString()));
        assertTrue(err.toString().startsWith("tidepool: " + file + ":2: "), err.toString());
    }

    @Test
    void wrongArgumentsAreSentences() {
        assertEquals(2, run("check", folder.resolve("none.jsonl").toString()));
        assertTrue(err.toString().startsWith("tidepool: no such file: "), err.toString());
        assertEquals(2, run("check"));
        assertEquals(2, run("check", "--level", "linear", "x"));
        assertTrue(err.toString().contains("unknown level 'linear'; known: strict-serializable"), err.toString());
        assertEquals(2, run("rtt", "--fabric", "rdma"));
        assertTrue(err.toString().contains("unknown fabric 'rdma'; known: mem, shm, sim"), err.toString());
        assertEquals(2, run("demo", "--seconds", "0"));
        assertEquals(
                1, run("demo", "--json", folder.resolve("no/such/folder.json").toString()));
        assertTrue(err.toString().contains("no such folder for the report"), err.toString());
    }

    @Test
    void roundTripsGoIntoTheReport() throws IOException {
        Path json = folder.resolve("rtt.json");

        assertEquals(0, run("rtt", "--fabric", "mem", "--json", json.toString()), err.toString());
        String text = Files.readString(json);
        for (String part : List.of(
                "\"schema\" : 1", "\"command\" : \"rtt\"", "\"case\" : \"read-write-ro\"", "\"roundTrips\" : 3"))
            assertTrue(text.contains(part), text);
    }

    private Path history(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name + ".jsonl"), List.of(lines));
    }

    private static String event(int index, int process, String type, String operations) {
        return "{\"index\":" + index + ",\"time\":" + index + ",\"process\":" + process + ",\"type\":\"" + type
                + "\",\"f\":\"txn\",\"value\":[" + operations + "]}";
    }

    private int run(String... arguments) {
        return Main.run(Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)), arguments);
    }
}
