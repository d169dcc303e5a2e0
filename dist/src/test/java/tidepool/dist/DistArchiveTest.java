package tidepool.dist;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.testkit.ChildProcess;
import tidepool.testkit.SourceTree;

/** The archive has all files, and its bytes depend on their contents alone. */
class DistArchiveTest {
    private static final List<String> INPUTS = List.of(
            "LICENSE",
            "README.md",
            "CHANGELOG.md",
            "MIGRATE.md",
            "config",
            "dist/files",
            "docs/guide",
            "docs/operating",
            "tools/cli/target/tidepool.jar",
            "tools/cli/target/lib");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)");

    @TempDir
    static Path folder;

    private static Path archive;

    @BeforeAll
    static void make() throws IOException {
        archive = DistMain.write(SourceTree.root(), folder.resolve("one"));
    }

    /** A second packaging elsewhere, of files that are as old as the machine and belong to another moment. */
    @Test
    void twoPackagingsHaveEqualBytes() throws IOException {
        Path copy = folder.resolve("copy");
        for (String input : INPUTS) copyOlder(SourceTree.path(input), copy.resolve(input));

        byte[] one = Files.readAllBytes(archive);
        byte[] other = Files.readAllBytes(DistMain.write(copy, folder.resolve("other")));
        assertArrayEquals(one, other);
        assertArrayEquals(new byte[4], Arrays.copyOfRange(one, 4, 8), "the time in the header of gzip");
    }

    /** The comparison can fail: contents, times and permissions are all in the bytes. */
    @Test
    void otherContentsTimesOrPermissionsAreOtherBytes() throws IOException {
        byte[] one = archive(DistMain.TIME, 1, 0644);

        assertArrayEquals(one, archive(DistMain.TIME, 1, 0644));
        assertFalse(Arrays.equals(one, archive(DistMain.TIME, 2, 0644)));
        assertFalse(Arrays.equals(one, archive(DistMain.TIME.plusSeconds(1), 1, 0644)));
        assertFalse(Arrays.equals(one, archive(DistMain.TIME, 1, 0600)));
    }

    private static byte[] archive(Instant time, int contents, int mode) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TarGzWriter tar = new TarGzWriter(out, time)) {
            tar.add("a", new byte[] {(byte) contents}, mode);
        }
        return out.toByteArray();
    }

    /** The system's tar reads the archive, because a reader of our own could share a mistake with the writer. */
    @Test
    void entriesBelongToNoUserAndAreSorted() throws IOException {
        Pattern entry = Pattern.compile("-(\\S+) 0/0 +\\d+ 2026-01-01 00:00(?::00)? (tidepool-[^/]+)/(\\S+)");
        String before = "";
        for (String line : tar("--numeric-owner", "-tvzf", archive.toString())) {
            Matcher seen = entry.matcher(line);
            assertTrue(seen.matches(), line);
            assertEquals(seen.group(3).equals("bin/tidepool") ? "rwxr-xr-x" : "rw-r--r--", seen.group(1), line);
            assertTrue(before.compareTo(seen.group(3)) < 0, before + " before " + seen.group(3));
            before = seen.group(3);
        }
        assertEquals("lib/zookeeper/zookeeper-jute-", before.replaceFirst("[0-9.]+\\.jar$", ""));
    }

    /** Users get the product: no test library, no store of others, and ZooKeeper apart. */
    @Test
    void theLibrariesAreThoseOfTheCommand() throws IOException {
        Set<String> ours = new TreeSet<>();
        Set<String> zookeepers = new TreeSet<>();
        for (DistFile file : DistContents.of(SourceTree.root())) {
            Path path = Path.of(file.path());
            if (!path.toString().endsWith(".jar")) continue;
            String name = path.getFileName().toString().replaceFirst("(-[0-9]+\\.[0-9].*)?\\.jar$", "");
            (path.getNameCount() == 2 ? ours : zookeepers).add(name);
        }
        Set<String> foreign = new TreeSet<>(ours);
        foreign.removeIf(name -> name.startsWith("tidepool"));
        assertEquals(
                Set.of(
                        "HdrHistogram",
                        "jackson-core",
                        "jline-reader",
                        "jline-terminal",
                        "jline-terminal-ffm",
                        "picocli"),
                foreign);
        assertTrue(ours.containsAll(Set.of("tidepool", "tidepool-api", "tidepool-tcp", "tidepool-zookeeper")));
        for (String name : List.of("tidepool-testkit", "tidepool-peers", "tidepool-fuzz", "tidepool-mutants"))
            assertFalse(ours.contains(name), name);
        assertTrue(zookeepers.containsAll(Set.of("zookeeper", "curator-framework", "metrics-core", "snappy-java")));
    }

    @Test
    void noLinkOfAPageLeadsOutOfTheArchive() throws IOException {
        List<DistFile> files = DistContents.of(SourceTree.root());
        Set<String> paths = new TreeSet<>(files.stream().map(DistFile::path).toList());
        int links = 0;
        for (DistFile file : files) {
            if (!file.path().endsWith(".md")) continue;
            Matcher link = LINK.matcher(file.text());
            for (; link.find(); links++) {
                if (link.group(1).contains("://")) continue;
                Path target = Path.of(file.path()).resolveSibling(link.group(1)).normalize();
                assertTrue(paths.contains(target.toString()), file.path() + ": " + link.group(1));
            }
        }
        assertTrue(links > 20, "only " + links + " links were read");
    }

    @Test
    void linksFollowPagesThatMove() {
        PageLinks links =
                new PageLinks(Map.of("README.md", "doc/README.md", "docs/guide/start.md", "doc/guide/start.md"));

        assertEquals("[a](guide/start.md#x)", links.rewrite("README.md", "[a](docs/guide/start.md#x)"));
        assertEquals("[a](../README.md)", links.rewrite("docs/guide/start.md", "[a](../../README.md)"));
        assertEquals("a", links.rewrite("README.md", "[a](pom.xml)"));
        assertEquals("[a](https://b.c/d)", links.rewrite("README.md", "[a](https://b.c/d)"));
    }

    @Test
    void aPathThatTheFormatCannotHoldIsRefused() throws IOException {
        try (TarGzWriter tar = new TarGzWriter(new ByteArrayOutputStream(), DistMain.TIME)) {
            assertThrows(IllegalArgumentException.class, () -> tar.add("x".repeat(101), new byte[0], 0644));
        }
    }

    private static List<String> tar(String... arguments) {
        List<String> command = new ArrayList<>(List.of("tar"));
        command.addAll(List.of(arguments));
        try (ChildProcess tar = ChildProcess.program(command.toArray(String[]::new))
                .with("TZ", "UTC")
                .start()) {
            List<String> lines = tar.lines();
            assertEquals(0, tar.exitCode(), tar.errors());
            return lines;
        }
    }

    private static void copyOlder(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path copy = to.resolve(from.relativize(file).toString());
                if (from.equals(file)) copy = to;
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
                Files.setLastModifiedTime(copy, FileTime.from(Instant.EPOCH));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
