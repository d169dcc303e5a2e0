package tidepool.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Randomness;
import tidepool.testkit.Effort;

/** Random transactions typed into the shell, compared with maps: every statement sees those before it. */
class OwnStatementsTest {
    private static final int KEYS = 4;
    private static final int MAX_STATEMENTS = 12;
    private static final List<String> TABLES = List.of("left", "right");

    /** A record: two numbers, of which a statement may set one. */
    private record Pair(long a, long b) {}

    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void statementsSeeThoseBeforeThem(String protocol) {
        try (ShellSession session =
                new ShellSession("mem:?nodes=2&memory=2m&protocol=" + protocol, Duration.ofMinutes(10))) {
            run(session, "create left (id long key, a long, b long) rows 20");
            run(session, "create right (name text(20) key, part int key, a long, b long) rows 20");
            Map<String, Pair> committed = new HashMap<>();
            for (long seed : Effort.seeds(20, 60, 2_000).toArray())
                committed = transaction(session, committed, new Randomness(seed), seed);
        }
    }

    /** One of the tables has keys of two parts. */
    private static String place(String table, int key) {
        return table + (table.equals("left") ? " " + key : " ('key (" + key + ")', " + -key + ")");
    }

    /** Returns the contents afterwards. */
    private static Map<String, Pair> transaction(
            ShellSession session, Map<String, Pair> before, Randomness random, long seed) {
        Map<String, Pair> model = new HashMap<>(before);
        List<String> typed = new ArrayList<>();
        run(session, "begin");
        for (int i = 1 + random.nextInt(MAX_STATEMENTS); i > 0; i--) {
            String place = place(random.pick(TABLES), random.nextInt(KEYS));
            String statement = random.pick(List.of("get", "put", "insert", "update", "delete")) + " " + place;
            boolean sets = !statement.startsWith("get") && !statement.startsWith("delete");
            long value = random.nextInt(1_000);
            typed.add(sets ? statement + " a=" + value : statement);
            String expected = play(model, statement.substring(0, statement.indexOf(' ')), place, value);
            assertEquals(expected, run(session, typed.getLast()), () -> "seed=" + seed + " " + before + " " + typed);
        }
        boolean commits = random.chance(3, 4);
        run(session, commits ? "commit" : "rollback");
        Map<String, Pair> after = commits ? model : before;
        for (String table : TABLES)
            for (int key = 0; key < KEYS; key++) {
                String place = place(table, key);
                assertEquals(shown(after, place), run(session, "get " + place), () -> "afterwards, seed=" + seed);
            }
        return after;
    }

    /** Applies a statement to the map, and returns the expected answer of the shell. */
    private static String play(Map<String, Pair> model, String verb, String place, long value) {
        Pair there = model.get(place);
        if (verb.equals("get")) return shown(model, place);
        if (verb.equals("delete")) return model.remove(place) == null ? "no record: " + place : "deleted " + place;
        if (verb.equals("insert") && there != null) return "the key exists: " + place + "; put or update changes it";
        if (verb.equals("update") && there == null)
            return "no record to update: " + place + "; put or insert makes one";
        model.put(place, new Pair(value, there == null ? 0 : there.b));
        return (there == null ? "inserted " : "updated ") + place;
    }

    private static String shown(Map<String, Pair> model, String place) {
        Pair there = model.get(place);
        return there == null ? "no record: " + place : place + " a=" + there.a + " b=" + there.b;
    }

    private static String run(ShellSession session, String line) {
        try {
            return session.run(StatementParser.parse(Lexer.statements(line).getFirst()))
                    .text();
        } catch (StatementException e) {
            return e.getMessage();
        }
    }
}
