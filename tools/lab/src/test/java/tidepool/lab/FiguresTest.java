package tidepool.lab;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.protocol.Protocols;

/** Figures are equal bytes on every machine, and agree with the paper. */
class FiguresTest {
    private static final Lab QUICK = new Lab(ProfileFile.ford(), true, 1);

    @TempDir
    Path folder;

    /** A reader who doubts a figure must be able to make it again, on any number of processors. */
    @Test
    void theSameFigureIsTheSameBytes() throws IOException {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path two = Files.createDirectory(folder.resolve("two"));
        FigureResult first = Figures.make(List.of("18"), QUICK, 1, _ -> {}).getFirst();
        FigureResult second = Figures.make(List.of("18"), QUICK, 2, _ -> {}).getFirst();
        List<Path> written = LabReport.write(first, one);
        LabReport.write(second, two);
        assertEquals(List.of("fig18-p50.svg", "fig18-p99.svg", "fig18.csv", "fig18.json"), names(written));
        for (Path file : written)
            assertArrayEquals(
                    Files.readAllBytes(file), Files.readAllBytes(two.resolve(file.getFileName())), file.toString());
        assertEquals(LabReport.table(first), LabReport.table(second));
    }

    /** Another seed draws other transactions; otherwise the test above could not fail. */
    @Tag("full")
    @Test
    void anotherSeedIsAnotherFigure() {
        FigureResult first = Figures.make(List.of("18"), QUICK, 2, _ -> {}).getFirst();
        FigureResult other = Figures.make(List.of("18"), new Lab(ProfileFile.ford(), true, 2), 2, _ -> {})
                .getFirst();
        assertTrue(!LabReport.csv(first).equals(LabReport.csv(other)), "the seed does not matter");
    }

    /** The cost of locks is the paper's first argument: FaRM holds them longest, FORD shortest. */
    @Test
    void locksAreHeldInTheOrderOfThePaper() {
        FigureResult made = Figures.make(List.of("14"), QUICK, 2, _ -> {}).getFirst();
        assertEquals(6, made.comparisons().size());
        for (PaperComparison c : made.comparisons()) assertTrue(c.sameRanking(), c.toString());
    }

    @Test
    void figuresHaveNumbersOfThePaper() {
        assertEquals(
                List.of(
                        "14",
                        "16",
                        "17",
                        "18",
                        "19",
                        "20",
                        "22",
                        "23",
                        "hdtx",
                        "motor-8",
                        "motor-9",
                        "motor-10",
                        "motor-11",
                        "motor-12",
                        "motor-17",
                        "motor-18",
                        "motor-19",
                        "motor-anchors"),
                Figures.numbers());
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Figures.make(List.of("15"), QUICK, 1, _ -> {}))
                .getMessage()
                .startsWith("there is no figure '15' in the lab; there are 14, 16"));
    }

    /** Chains from old to new are walked from the wrong end: that much of the paper's Fig. 10 has to come out. */
    @Tag("full")
    @Test
    void tuplesAreFasterThanChainsFromOldToNew() {
        FigureResult made = Figures.make(List.of("motor-10"), QUICK, 2, _ -> {}).getFirst();
        PaperComparison throughput = made.comparisons().getFirst();
        assertEquals("throughput CVT / O2N", throughput.series());
        assertTrue(throughput.sameRanking(), throughput.toString());
    }

    /** A figure without numbers of the paper is reported nevertheless. */
    @Test
    void aFigureMayHaveOnlyNotes() {
        FigureResult notes =
                new FigureResult("98", "a test", List.of(), List.of(), new Results(), List.of("only a note"));
        assertTrue(LabReport.table(notes).contains("only a note"), LabReport.table(notes));
    }

    /** They do not recover from a crash, so no pool outside the lab may use them. */
    @Test
    void structuresForFiguresAreRefusedOutsideTheLab() {
        for (String name : List.of(
                LabProtocols.N2O,
                LabProtocols.O2N,
                LabProtocols.PUBLISHED_MOTOR,
                LabProtocols.PUBLISHED_FORD,
                LabProtocols.PUBLISHED_FARM_V2)) {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> Protocols.named(name))
                    .getMessage()
                    .startsWith("unknown protocol '" + name + "'"));
            assertThrows(UnsupportedOperationException.class, () -> LabProtocols.named(name)
                    .recovery(null, null));
        }
    }

    @Test
    void aReportSaysHowFarOffItIs() throws IOException {
        FigureResult result = new FigureResult(
                "99",
                "a test",
                List.of(
                        new PaperComparison("99", "throughput a / b", 2, 1.5),
                        new PaperComparison("99", "throughput c / d", 1.1, 0.9)),
                List.of(new Plot(
                        "fig99",
                        "a < b",
                        "x",
                        "y",
                        List.of(new Plot.Line("a & b", List.of(new Plot.Dot(1, 3), new Plot.Dot(2, 4)))))),
                new Results(),
                List.of("a note"));
        String table = LabReport.table(result);
        assertTrue(table.contains("2.00     1.50     -25.0%\n"), table);
        assertTrue(table.contains("1.10     0.90     -18.2%  the other way round"), table);
        assertTrue(table.contains("median difference of throughputs, without sign: 21.6%"), table);
        assertTrue(LabReport.json(result).contains("\"difference\" : -0.25"), LabReport.json(result));
        String svg = Svg.draw(result.plots().getFirst());
        assertTrue(svg.contains("a &lt; b") && svg.contains("a &amp; b"), svg);
    }

    private static List<String> names(List<Path> files) {
        return files.stream().map(file -> file.getFileName().toString()).toList();
    }
}
