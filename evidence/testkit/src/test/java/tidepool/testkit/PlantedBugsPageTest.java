package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The page of planted bugs names exactly the bugs that are played, with their plays: otherwise a bug that was renamed
 * or dropped would stay on the page, and a new one would not be there.
 */
class PlantedBugsPageTest {
    private static final Path PAGE = SourceTree.path("docs/evidence/planted-bugs.md");
    private static final Path PLAYS = SourceTree.path("evidence/protocols/src/test/resources/planted-seeds.txt");
    private static final Path TESTS = SourceTree.path("evidence/protocols/src/test/java");
    private static final Pattern NAME = Pattern.compile("\\b[A-Z0-9]+(?:_[A-Z0-9]+)+\\b");

    /** A comment that says which columns of the next table have plays, and of which groups of the file. */
    private static final Pattern COLUMNS = Pattern.compile("<!-- plays: (.*) -->");

    /** Two protocols have bugs of one name there, so a play says whose. */
    private static final Pattern PROTOCOL_OF_A_PLAY = Pattern.compile("^snapshot-crash/(FARMV2_2|FARMV2|MOTOR)_");

    /** Names on the page that have no play in the file, by the place that shows them. */
    private static final Map<String, Set<String>> WITHOUT_PLAY = Map.of(
            "bugs of PowerPlotTest",
                    Set.of(
                            "GUESSED_LOG_IS_BELIEVED",
                            "RECOVERY_DOES_NOT_FLUSH_WHAT_IT_RESTORED",
                            "RECOVERY_ENDS_NO_LOG",
                            "RECOVERY_PUBLISHES_WHAT_IS_NOT_FLUSHED",
                            "RECOVERY_RESTORES_WITHOUT_A_MARK",
                            "RESTART_BLAMES_THE_EARLIER"),
            "plots of PowerPlotTest",
                    Set.of("KEPT_APART", "LOGS_ARE_LOST", "OVERTAKEN_AND_RECOVERED", "PRIMARIES_ARE_LOST"),
            "a scene of PowerPointsTest", Set.of("UPDATE_TWO_PARTITIONS"),
            "a bug of FordPlantedLitmusTest", Set.of("READ_BY_THE_BACKUPS_VERSION"),
            "bugs of HdtxPublishedTest", Set.of("MARKS_STAY_ON_BACKUPS", "WHOLE_LOGS_MEAN_VALID"),
            "bugs of LockQueueTest",
                    Set.of(
                            "PRIORITY_IS_IGNORED",
                            "READERS_NEVER_STAND",
                            "TICKETS_CARRY_OVER",
                            "WAITER_RESETS_THE_LOCK"),
            "bugs that no cluster shows: PlantedNodesTest", Set.of("LOCKS_STAY", "NO_WAIT_UNTIL_IT_IS_NOT_BELIEVED"),
            "loaders of BulkLoadTest", Set.of("POSITION_AFTER_ROWS", "POSITION_BEFORE_ROWS", "ROWS_ALONE"));

    /** Enums of bugs by their names, and the constants of such an enum. */
    private static final Pattern BUGS = Pattern.compile("\\benum \\w*Bug\\b");

    private static final Pattern CONSTANT =
            Pattern.compile("^ {4,8}([A-Z0-9]+(?:_[A-Z0-9]+)+)\\s*(?=[({,;]|$)", Pattern.MULTILINE);

    @Test
    void thePageAndThePlaysNameTheSameBugs() throws IOException {
        Set<String> played = played(Files.readAllLines(PLAYS));
        assertTrue(played.size() > 100, "only " + played.size() + " bugs are played");
        Set<String> named = named(Files.readString(PAGE));
        Set<String> excused =
                WITHOUT_PLAY.values().stream().flatMap(Set::stream).collect(Collectors.toCollection(TreeSet::new));

        assertEquals(List.of(), without(played, named), "played, and not on the page");
        Set<String> unplayed = new TreeSet<>(without(named, played));
        assertEquals(List.of(), without(excused, unplayed), "excused, and not on the page, or played");
        unplayed.removeAll(excused);
        assertEquals(List.of(), without(unplayed, planted()), "on the page, and neither played nor planted");
    }

    /** A bug whose own scene meets it in every run has no play, and would be forgotten here. */
    @Test
    void everyPlantedBugIsOnThePage() throws IOException {
        Set<String> planted = planted();
        assertTrue(planted.size() >= 150, "only " + planted.size() + " bugs are planted");
        assertEquals(List.of(), without(planted, named(Files.readString(PAGE))), "planted, and not on the page");
    }

    @Test
    void constantsOfEnumsOfBugsAreFound() {
        String source = """
                enum LateBug implements Supplier<Protocol> {
                    /** Text with a NAME_OF_ANOTHER. */
                    FIRST_BUG,
                    SECOND_BUG(PlantedBug.FIRST_ONE) {
                    },
                    LAST_BUG;
                }
                """;
        assertEquals(Set.of("FIRST_BUG", "SECOND_BUG", "LAST_BUG"), planted(source));
        assertEquals(Set.of(), planted(source.replace("LateBug", "Late")));
    }

    private static Set<String> planted() throws IOException {
        Set<String> planted = new TreeSet<>();
        for (Path module : SourceTree.modules()) {
            Path tests = module.resolve("src/test/java");
            if (!Files.isDirectory(tests)) continue;
            try (Stream<Path> files = Files.walk(tests)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList())
                    planted.addAll(planted(Files.readString(file)));
            }
        }
        return planted;
    }

    private static Set<String> planted(String source) {
        Set<String> planted = new TreeSet<>();
        Matcher bugs = BUGS.matcher(source);
        if (!bugs.find()) return planted;
        Matcher constant = CONSTANT.matcher(source);
        while (constant.find()) if (constant.start() > bugs.end()) planted.add(constant.group(1));
        return planted;
    }

    /** An exception that is left over from a bug with another name would hide that name. */
    @Test
    void everyExceptionIsInATest() throws IOException {
        Set<String> written = new TreeSet<>();
        try (Stream<Path> files = Files.walk(TESTS)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList())
                written.addAll(named(Files.readString(file)));
        }
        for (Set<String> names : WITHOUT_PLAY.values()) assertEquals(List.of(), without(names, written));
    }

    /** The plays in the tables are those of the file; -Dtidepool.docs.write=true writes them anew. */
    @Test
    void theTablesHaveThePlaysOfTheFile() throws IOException {
        Map<String, String> plays = plays(Files.readAllLines(PLAYS));
        Set<String> shown = new TreeSet<>();
        String page = Files.readString(PAGE);
        String filled = filled(page, plays, shown);
        if (Boolean.getBoolean("tidepool.docs.write")) Files.writeString(PAGE, filled);
        else assertEquals(filled, page, "the plays have changed: write them by -Dtidepool.docs.write=true");
        assertEquals(List.of(), without(plays.keySet(), shown), "plays that no table has");
    }

    /** The check can fail: other plays, and plays that are gone, change the page. */
    @Test
    void aPlayThatWasRenewedIsFound() {
        String page = """
                <!-- plays: seeds = a/; where = b/ c/X_ -->
                | bug | seeds | where |
                |---|---:|---|
                | NO_LOG (H1) | 3 | 1 AFTER 2 |
                | NO_LOCK | 7 |  |

                | NO_LOG | 9 |
                """;
        Set<String> shown = new TreeSet<>();
        Map<String, String> plays = Map.of("a/NO_LOG", "4", "c/X_NO_LOG", "1 AFTER 2", "d/NO_LOCK", "5");
        assertEquals(page.replace("| 3 |", "| 4 |").replace("| 7 |", "|  |"), filled(page, plays, shown));
        assertEquals(Set.of("a/NO_LOG", "c/X_NO_LOG"), shown);
    }

    /** The check can fail. */
    @Test
    void aBugThatWasRenamedIsFound() {
        Set<String> named = named("| NO_INTENT | x |\n| NO_LOG | y |");
        Set<String> played = played(List.of("# comment", "ford/NO_INTENT   14", "farm-crash/NO_LOCK  1 BEFORE 2"));

        assertEquals(List.of("NO_LOG"), without(named, played));
        assertEquals(List.of("NO_LOCK"), without(played, named));
    }

    private static Map<String, String> plays(List<String> lines) {
        Map<String, String> plays = new TreeMap<>();
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) continue;
            String[] parts = line.strip().split("\\s+", 2);
            plays.put(parts[0], parts[1]);
        }
        return plays;
    }

    /**
     * Returns the page with the plays in the columns that the comment before each table names, {@code column = group/}.
     * A column may have several groups; a row has a play in one of them.
     */
    private static String filled(String page, Map<String, String> plays, Set<String> shown) {
        List<String> lines = new ArrayList<>(List.of(page.split("\n", -1)));
        for (int i = 0; i < lines.size(); i++) {
            Matcher comment = COLUMNS.matcher(lines.get(i));
            if (!comment.matches()) continue;
            List<String> heads = cells(lines.get(i + 1));
            for (int row = i + 3; lines.get(row).startsWith("|"); row++) {
                List<String> cells = cells(lines.get(row));
                Matcher bug = NAME.matcher(cells.getFirst());
                assertTrue(bug.find(), lines.get(row));
                for (String column : comment.group(1).split("; ")) {
                    String[] parts = column.split(" = ");
                    int at = heads.indexOf(parts[0]);
                    assertTrue(at > 0, "no column " + parts[0]);
                    cells.set(at, "");
                    for (String group : parts[1].split(" ")) {
                        String play = plays.get(group + bug.group());
                        if (play == null) continue;
                        cells.set(at, play);
                        shown.add(group + bug.group());
                    }
                }
                lines.set(row, "| " + String.join(" | ", cells) + " |");
            }
        }
        return String.join("\n", lines);
    }

    private static List<String> cells(String row) {
        List<String> cells = new ArrayList<>();
        for (String cell : row.substring(1, row.lastIndexOf('|')).split("\\|", -1)) cells.add(cell.strip());
        return cells;
    }

    private static Set<String> named(String text) {
        Set<String> names = new TreeSet<>();
        Matcher name = NAME.matcher(text);
        while (name.find()) names.add(name.group());
        return names;
    }

    private static Set<String> played(List<String> lines) {
        Set<String> names = new TreeSet<>();
        for (String line : lines)
            if (!line.isBlank() && !line.startsWith("#"))
                names.add(PROTOCOL_OF_A_PLAY
                        .matcher(line)
                        .replaceFirst("snapshot-crash/")
                        .substring(line.indexOf('/') + 1)
                        .split("\\s+", 2)[0]);
        return names;
    }

    private static List<String> without(Set<String> some, Set<String> others) {
        List<String> left = new ArrayList<>(some);
        left.removeAll(others);
        left.sort(null);
        return left;
    }
}
