package tidepool.dist;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

    /** Where Containerfile and unit expect the unpacked archive. */
    private static final String INSTALLED = "/opt/tidepool/";

    private static final Pattern COPY = Pattern.compile("(?m)^COPY (\\S+) (\\S+)$");
    private static final Pattern ENTRYPOINT = Pattern.compile("(?m)^ENTRYPOINT \\[\"([^\"]+)\"]$");
    private static final Pattern EXEC_START = Pattern.compile("(?m)^ExecStart=(\\S+) ");

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

    /** Files that no other file of the archive would miss at once. */
    @Test
    void theFilesOfAnOperatorAreThere() throws IOException {
        Set<String> paths = paths();
        for (String path : List.of(
                "Containerfile",
                "LICENSE",
                "etc/credentials.sample",
                "etc/node.conf",
                "etc/tidepool-node.service",
                "doc/operating/install.md",
                "doc/man/man1/tidepool.1",
                "doc/man/man1/tidepool-node.1",
                "doc/man/man1/tidepool-pool-status.1")) assertTrue(paths.contains(path), path);
        long pages =
                paths.stream().filter(path -> path.startsWith("doc/man/man1/")).count();
        assertTrue(pages > 20, "pages of the manual: " + pages);
    }

    /** An image is built in the unpacked archive, and a container starts the launcher that was copied. */
    @Test
    void theContainerFileNamesFilesOfTheArchive() throws IOException {
        assertEquals(List.of(), missingOfContainer(text("Containerfile"), paths()));
    }

    /** The unit starts the launcher of an archive that is unpacked in /opt/tidepool. */
    @Test
    void theUnitNamesFilesOfTheArchive() throws IOException {
        assertEquals(List.of(), missingOfUnit(text("etc/tidepool-node.service"), paths()));
    }

    /** These checks can fail. */
    @Test
    void otherFilesOfContainerAndUnitAreFound() throws IOException {
        String container = text("Containerfile");
        assertEquals(List.of("libs"), missingOfContainer(container.replace("COPY lib ", "COPY libs "), paths()));
        assertEquals(
                List.of("bin/tidepol"),
                missingOfContainer(container.replace("/bin/tidepool\"", "/bin/tidepol\""), paths()));
        assertEquals(
                List.of("bin/tide"),
                missingOfUnit(text("etc/tidepool-node.service").replace("bin/tidepool ", "bin/tide "), paths()));
    }

    /** A sample that lets a client in would be copied as it is. */
    @Test
    void theSampleOfCredentialsLetsNoClientIn() throws IOException {
        List<String> lines = text("etc/credentials.sample").lines().toList();
        assertTrue(lines.size() > 5, lines.toString());
        for (String line : lines) assertTrue(line.startsWith("#"), line);
    }

    /** systemd itself reads the unit: unknown keys and values are warnings there, and would have no effect. */
    @Test
    void systemdKnowsEveryKeyOfTheUnit() throws IOException {
        assumeTrue(onPath("systemd-analyze"), "no systemd-analyze here");
        Path launcher = Files.createDirectories(folder.resolve("opt/bin")).resolve("tidepool");
        Files.copy(SourceTree.path("dist/files/bin/tidepool"), launcher);
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        String unit = text("etc/tidepool-node.service").replace(INSTALLED, folder.resolve("opt") + "/");

        assertEquals("", complaints(unit));
        String wrong = complaints(unit.replace("ProtectHome=", "ProtectHomes="));
        assertTrue(wrong.contains("ProtectHomes"), "the check can fail: " + wrong);
    }

    /** Returns what systemd says about a unit; it may say something about other units of the machine. */
    private static String complaints(String unit) throws IOException {
        Path file = Files.writeString(folder.resolve("tidepool-node.service"), unit);
        try (ChildProcess verify = ChildProcess.program("systemd-analyze", "verify", file.toString())
                .merged()
                .start()) {
            return verify.lines().stream()
                    .filter(line -> line.contains("tidepool"))
                    .collect(Collectors.joining("\n"));
        }
    }

    private static boolean onPath(String program) {
        for (String place : System.getenv("PATH").split(":", -1))
            if (Files.isExecutable(Path.of(place, program))) return true;
        return false;
    }

    private static List<String> missingOfContainer(String container, Set<String> paths) {
        List<String> missing = new ArrayList<>();
        Set<String> copied = new TreeSet<>();
        Matcher copy = COPY.matcher(container);
        while (copy.find()) {
            String source = copy.group(1);
            if (paths.stream().noneMatch(path -> path.equals(source) || path.startsWith(source + "/")))
                missing.add(source);
            String target = copy.group(2);
            copied.add(target.endsWith("/") ? target + source : target);
        }
        Matcher started = ENTRYPOINT.matcher(container);
        assertTrue(started.find(), "no ENTRYPOINT");
        String launcher = started.group(1);
        boolean isCopied = copied.stream().anyMatch(target -> launcher.startsWith(target + "/"));
        String path = launcher.replaceFirst("^" + INSTALLED, "");
        if (!isCopied || !paths.contains(path)) missing.add(path);
        return missing;
    }

    private static List<String> missingOfUnit(String unit, Set<String> paths) {
        Matcher started = EXEC_START.matcher(unit);
        assertTrue(started.find(), "no ExecStart");
        String path = started.group(1).replaceFirst("^" + INSTALLED, "");
        return paths.contains(path) ? List.of() : List.of(path);
    }

    private static Set<String> paths() throws IOException {
        return new TreeSet<>(
                DistContents.of(SourceTree.root()).stream().map(DistFile::path).toList());
    }

    private static String text(String path) throws IOException {
        return Files.readString(SourceTree.path("dist/files").resolve(path));
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
