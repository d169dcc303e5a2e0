package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.xml.sax.SAXException;

/**
 * Blocks of build files in the documents, and the projects of examples/consumer, name artifacts of the BOM in the
 * version of this build. A user copies them as they are.
 */
class DependencyBlocksTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```(xml|kotlin)\n(.*?)^ *```");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(tidepool-[^<]+)</artifactId>");
    private static final Pattern VERSION = Pattern.compile("<version>([^<]+)<");
    private static final Pattern COORDINATES = Pattern.compile("dev\\.tidepool:(tidepool-[\\w-]+)(?::([^\"`\\s]+))?");

    @Test
    void blocksOfPagesNameArtifactsOfThisBuild() throws IOException {
        List<String> wrong = new ArrayList<>();
        int blocks = 0;
        for (Path page : DocLinksTest.pages()) {
            if (page.startsWith(SourceTree.path("docs/journal"))) continue;
            Matcher block = BLOCK.matcher(Files.readString(page));
            for (; block.find(); blocks++)
                for (String fault : faults(block.group(1), block.group(2)))
                    wrong.add(SourceTree.root().relativize(page) + ": " + fault);
        }
        assertTrue(blocks >= 3, "only " + blocks + " blocks were read");
        assertEquals(List.of(), wrong);
    }

    /** The projects outside the build cannot take the version from its parent. */
    @Test
    void theConsumersNameArtifactsOfThisBuild() throws IOException {
        assertEquals(
                List.of(),
                faultsOfText(Files.readString(SourceTree.path("examples/consumer/embedded/build.gradle.kts"))));
        Matcher version = Pattern.compile("<tidepool\\.version>([^<]+)<")
                .matcher(Files.readString(SourceTree.path("examples/consumer/pom.xml")));
        assertTrue(version.find());
        assertEquals(version(), version.group(1));
    }

    /** The check can fail. */
    @Test
    void wrongBlocksAreFound() throws IOException {
        String good = "<dependency><groupId>dev.tidepool</groupId><artifactId>tidepool-api</artifactId><version>"
                + version() + "</version></dependency>\n";
        assertEquals(List.of(), faults("xml", good));
        assertEquals(List.of("version 0.0.9 is not " + version()), faults("xml", good.replace(version(), "0.0.9")));
        assertEquals(List.of("no artifact tidepool-ipa"), faults("xml", good.replace("api", "ipa")));
        assertEquals(1, faults("xml", good.replace("</groupId>", "")).size(), "no XML");
        String line = "implementation(platform(\"dev.tidepool:tidepool-bom:" + version() + "\"))\n";
        assertEquals(List.of(), faults("kotlin", line));
        assertEquals(List.of("version 0.0.9 is not " + version()), faults("kotlin", line.replace(version(), "0.0.9")));
        assertEquals(List.of("no artifact tidepool-bomb"), faults("kotlin", line.replace("bom", "bomb")));
    }

    private static List<String> faults(String language, String block) throws IOException {
        List<String> faults = faultsOfText(block);
        if (language.equals("xml")) {
            try {
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new ByteArrayInputStream(
                                ("<block>" + block + "</block>").getBytes(StandardCharsets.UTF_8)));
            } catch (SAXException | ParserConfigurationException e) {
                faults.add(e.getMessage());
            }
        }
        return faults;
    }

    private static List<String> faultsOfText(String block) throws IOException {
        List<String> faults = new ArrayList<>();
        Set<String> artifacts = artifacts();
        Matcher artifact = ARTIFACT.matcher(block);
        while (artifact.find())
            if (!artifacts.contains(artifact.group(1))) faults.add("no artifact " + artifact.group(1));
        Matcher version = VERSION.matcher(block);
        while (version.find()) compare(version.group(1), faults);
        Matcher coordinates = COORDINATES.matcher(block);
        while (coordinates.find()) {
            if (!artifacts.contains(coordinates.group(1))) faults.add("no artifact " + coordinates.group(1));
            if (coordinates.group(2) != null) compare(coordinates.group(2), faults);
        }
        return faults;
    }

    private static void compare(String version, List<String> faults) throws IOException {
        if (!version.equals(version())) faults.add("version " + version + " is not " + version());
    }

    private static String version() throws IOException {
        Matcher version = VERSION.matcher(Files.readString(SourceTree.path("pom.xml")));
        assertTrue(version.find());
        return version.group(1);
    }

    private static Set<String> artifacts() throws IOException {
        Set<String> artifacts = new TreeSet<>();
        Matcher artifact = ARTIFACT.matcher(Files.readString(SourceTree.path("bom/pom.xml")));
        while (artifact.find()) artifacts.add(artifact.group(1));
        return artifacts;
    }
}
